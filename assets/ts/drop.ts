// Files that readers drop on a page or choose there. They are read in a worker (reader.ts), by the program that makes
// catalogs; this file hands them over and says what happens. Nothing of them is sent or kept.

namespace dropping {
  const { button, el, say } = dom;
  const { count, number } = reported;

  /** Files with their paths. */
  export type Files = [string, File][];

  /** A page that reads files. */
  export interface Page {
    /** Where the reader lies and what its limits are: the data attributes of the element that the page fills. */
    data: DOMStringMap;
    /** What may be dropped, before the ways to do it: "Drop result files, a folder or a zip anywhere on this page". */
    invitation: string;
    /** What the page asks for once the reader is there. */
    afterwards: string;
    /** What the reader loads beside itself: the address of units of a catalog. */
    units?: string;
    /** started is called before files are read, busy while and after they are, failed where nothing will be told of them. */
    started(files: Files): void;
    busy(is: boolean): void;
    failed(): void;
    /** command does the same in a terminal. */
    command: string;
    /** read shows a report, and then says in words what was read. */
    read(report: reported.Report): Promise<string>;
  }

  const most = 5000; // files
  const terminal = "A terminal does the same, without such limits.";

  /** walked lists the files of what was dropped; a folder gives all below it. */
  async function walked(entries: FileSystemEntry[], into: Files): Promise<void> {
    for (const e of entries) {
      if (into.length > most) return;
      if (e.isFile) into.push([e.fullPath.slice(1), await new Promise<File>((ok, no) => (e as FileSystemFileEntry).file(ok, no))]);
      if (!e.isDirectory) continue;
      const all = (e as FileSystemDirectoryEntry).createReader();
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((ok, no) => all.readEntries(ok, no));
        if (!some.length) break;
        await walked(some, into);
      }
    }
  }

  /** apart gives files of one name, which a drop from several folders may have, names of their own. */
  function apart(files: Files): Files {
    const taken = new Set<string>();
    return files.map(([name, file]) => {
      let own = name;
      for (let n = 2; taken.has(own); n++) own = `${n}/${name}`;
      taken.add(own);
      return [own, file];
    });
  }

  const at = (address: string) => new URL(address, location.href).href;

  /** room makes room below the box for what will be told: what stands there is away until then, so that nothing is pushed down. */
  export function room(is: boolean): void {
    document.documentElement.classList.toggle("reading", is);
  }

  /** dropped calls a function with what is dropped anywhere on the page and has files. What else is, such as text in a field, stays with the browser. */
  function dropped(took: (of: DataTransfer) => void): void {
    const files = (then?: typeof took) => (e: DragEvent) => {
      if (!e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      then?.(e.dataTransfer);
    };
    addEventListener("dragover", files());
    addEventListener("drop", files(took));
  }

  /** absent is the box of a page that can read no files: it says why. A browser would leave the page for a file that is dropped. */
  export function absent(...why: (Node | string)[]): HTMLElement {
    const box = el("p", { class: "drop" }, ...why);
    dropped(() => box.scrollIntoView({ block: "nearest" }));
    return box;
  }

  /** A place for files: the box that they are dropped on, a function that reads files, one that packs those read last. */
  export interface Place {
    box: HTMLElement;
    take: (files: Files) => void;
    pack: () => void;
  }

  /** make makes the place of a page. */
  export function make(page: Page): Place {
    const data = page.data;
    const without = (...why: (Node | string)[]) => ({ box: absent(...why), take: () => {}, pack: () => {} });
    if (location.protocol === "file:")
      return without("From a folder a browser loads no reader of result files. Open this page on a web server, or with ", el("code", {}, "inferdex serve"), ".");
    if (!("WebAssembly" in window && "DecompressionStream" in window))
      return without("This browser is too old to run the reader of result files. A terminal does the same.");
    const input = (folder: boolean) => {
      const i = el("input", { type: "file", multiple: true, webkitdirectory: folder, class: "vh", tabindex: "-1", "aria-hidden": "true" });
      i.addEventListener("change", () => {
        take([...(i.files ?? [])].map((f) => [f.webkitRelativePath || f.name, f]));
        i.value = ""; // the same file, changed, may be chosen again
      });
      return i;
    };
    const [some, folder] = [input(false), input(true)];
    // It says something from the start, so that what is below stays where it is when it says something else.
    const state = el("p", { class: "state mut" }, `The reader, ${data.size}, is loaded with the first file.`);
    const bar = el("progress", { max: "1", value: "0", hidden: true, "aria-label": "How much is read" });
    const box = el("div", { class: "drop" },
      el("p", {}, page.invitation + ", or ",
        button("choose files", () => some.click(), { class: "act" }), " or ",
        button("choose a folder", () => folder.click(), { class: "act" }), "."),
      el("p", { class: "mut" }, `They are read on this device: nothing of them is sent, and ${page.afterwards}.`),
      state, bar, some, folder);

    let worker: Worker | undefined;
    let waiting = 0;
    let busy = false;
    let last: Files = [];
    const stop = button("Stop", () => end("Stopped."), { class: "act" });

    /** show says what happens; spoken says that a reader of the page should hear it. */
    function show(text: string, is: boolean): void {
      state.classList.remove("mut");
      state.replaceChildren(text, is ? " " : "", is ? stop : "");
      bar.hidden = true;
      page.busy((busy = is));
      if (is) return;
      room(false);
      say(text);
    }
    /** close ends the worker, with what it holds. */
    function close(): void {
      clearTimeout(waiting);
      worker?.terminate();
      worker = undefined;
    }
    /** end closes the worker and says why. */
    function end(text: string): void {
      close();
      page.failed();
      show(text, false);
      box.scrollIntoView({ block: "nearest" });
    }
    /** patient waits for the next sign of life. */
    function patient(): void {
      clearTimeout(waiting);
      waiting = setTimeout(() => end(`No answer for ${data.patience} seconds, so reading was stopped. ${terminal}`), Number(data.patience) * 1000);
    }
    /** unloaded says that there is no reader, and what to do without it. */
    function unloaded(why: string): void {
      end(`The reader could not be loaded from this site: ${why}.`);
      state.append(" ", button("Try again", () => take(last), { class: "act" }), " Or in a terminal: ", el("code", {}, page.command));
    }
    /** reading says how far it is; an archive has more files than were chosen. */
    function reading(m: { reading: number; bytes: number; done: number; total: number }): void {
      const of = m.reading <= last.length ? `${number(m.reading)} of ${count(last.length, "file")}` : count(m.reading, "file");
      show(`Reading on this device: ${of}, ${(m.bytes / 1e6).toFixed(1)} MB`, true);
      bar.hidden = !m.total;
      bar.value = m.total ? Math.min(1, m.done / m.total) : 0;
    }
    const failures: Record<string, (why: string) => string> = {
      file: (why) => `A file could not be opened: ${why}`,
      memory: () => `These files need more memory than a tab has. ${terminal}`,
      report: (why) => why,
    };

    function started(): Worker {
      // Made of a blob, the worker is held by the policy of this page; a script with an address is not.
      const scripts = [data.starter!, data.worker!].map((s) => JSON.stringify(new URL(s, location.href).href));
      const w = new Worker(URL.createObjectURL(new Blob([`importScripts(${scripts})`], { type: "text/javascript" })));
      w.onerror = (e) => {
        e.preventDefault();
        unloaded("its script failed");
      };
      w.onmessage = ({ data: m }) => {
        patient();
        if ("loading" in m) show(`Loading the reader: ${(m.loading / 1e6).toFixed(1)} of ${data.size}`, true);
        else if ("reading" in m) reading(m);
        else if (m.failed === "load") unloaded(m.why);
        else if ("failed" in m) end(failures[m.failed](m.why));
        else if ("bundle" in m) {
          clearTimeout(waiting);
          saved(m.bundle);
        } else {
          clearTimeout(waiting);
          page.read(JSON.parse(new TextDecoder().decode(m.report))).then(
            (text) => w === worker && show(text, false),
            (why) => end(`What was read cannot be shown: ${why}. ${terminal}`),
          );
        }
      };
      return w;
    }

    function take(files: Files): void {
      const chosen = apart(files);
      last = chosen;
      page.started(chosen);
      if (!chosen.length) return end("No file was in it, so nothing was read.");
      const bytes = chosen.reduce((n, [, f]) => n + f.size, 0);
      if (chosen.length > most) return end(`These are more than ${number(most)} files. ${terminal}`);
      if (bytes > Number(data.most))
        return end(`These files have ${(bytes / 1e6).toFixed(0)} MB, more than the ${Number(data.most) / 1e6} MB that are read here. ${terminal}`);
      read(chosen, false);
      room(true);
      box.scrollIntoView({ block: "nearest" }); // files may be dropped anywhere
    }

    /** read hands files to the worker, which packs them or tells what is in them. */
    function read(chosen: Files, bundle: boolean): void {
      if (busy) close();
      worker ??= started();
      patient();
      show("Reading", true);
      worker.postMessage({
        bundle,
        module: at(data.module!),
        names: at(data.names!),
        units: page.units && at(page.units),
        files: chosen.map(([name, file]) => ({ name, file })),
        most: Number(data.most),
      });
    }

    /** saved hands an archive to the reader of the page, as a download that was made here. */
    function saved(bundle: Uint8Array<ArrayBuffer>): void {
      const address = URL.createObjectURL(new Blob([bundle], { type: "application/zip" }));
      el("a", { href: address, download: "submission.zip" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
      show(`Made on this device: submission.zip, ${count(bundle.length, "byte")}.`, false);
    }

    dropped((of) => {
      const items = [...of.items].filter((i) => i.kind === "file");
      const entries = items.map((i) => i.webkitGetAsEntry()).filter((x) => x !== null);
      const files: Files = [...of.files].map((f) => [f.name, f]);
      if (entries.length < items.length || !entries.length) return take(files);
      const into: Files = [];
      walked(entries, into).then(() => take(into), (why) => end(failures.file(String(why))));
    });
    return { box, take, pack: () => read(last, true) };
  }

  /** submission is the section that makes a bundle of what was read. */
  export function submission(data: DOMStringMap, r: reported.Report, pack: () => void): HTMLElement[] {
    const runs = r.runs ?? [];
    if (!runs.length) return [];
    if (runs.every((x) => x.listed === "equal"))
      return [reported.section("share", "Share", el("p", {}, "These results are in the catalog already: there is nothing to add."))];
    const open = data.submit ? el("a", { href: data.submit }, "open a pull request") : "open a pull request against its repository";
    return [
      reported.section("share", "Share",
        el("p", {}, "A zip for a pull request, made on this device of what a catalog would keep of these files: without keys, prompts, paths and names. Nothing is sent."),
        el("p", {}, button("Make a bundle for a pull request", pack, { class: "act" })),
        el("p", {}, "Unpack it in a checkout of the catalog, look at it, push that as a branch, and ", open, ". ",
          r.gaps?.length ? "What no file says stands in a run.toml of it, to be completed. " : "",
          "In a terminal ", el("code", {}, "inferdex submit"), " makes the same.")),
    ];
  }

  /** summary says what was read, in numbers. */
  export function summary(r: reported.Report): string {
    const points = r.runs?.reduce((n, run) => n + run.points, 0) ?? 0;
    return `Read: ${count(r.files.length, "file")}, ${count(r.runs?.length ?? 0, "run")}, ${count(points, "measured point")}.`;
  }
}
