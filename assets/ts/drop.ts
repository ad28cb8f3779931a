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
    /** started is called before files are read, busy while and after they are. */
    started(files: Files): void;
    busy(is: boolean): void;
    /** read shows a report and says in words what was read. */
    read(report: reported.Report): string;
  }

  const most = 5000; // files
  const command = "A terminal does the same, without such limits.";

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

  const at = (address: string) => new URL(address, location.href).href;

  /** make gives the box that files are dropped on, and a function that reads files. */
  export function make(page: Page): { box: HTMLElement; take: (files: Files) => void } {
    const data = page.data;
    const without = (...why: (Node | string)[]) => ({ box: el("p", { class: "drop" }, ...why), take: () => {} });
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
    const state = el("p", { class: "state" });
    const stay = `They are read on this device: nothing of them is sent, and ${page.afterwards}.`;
    const box = el("div", { class: "drop" },
      el("p", {}, page.invitation + ", or ",
        button("choose files", () => some.click(), { class: "act" }), " or ",
        button("choose a folder", () => folder.click(), { class: "act" }), "."),
      el("p", { class: "mut" }, `${stay} The reader, ${data.size}, is loaded with the first file.`),
      state, some, folder);

    let worker: Worker | undefined;
    let waiting = 0;
    let busy = false;
    const stop = button("Stop", () => end("Stopped."), { class: "act" });

    /** show says what happens; spoken says that a reader of the page should hear it. */
    function show(text: string, is: boolean): void {
      state.replaceChildren(text, is ? " " : "", is ? stop : "");
      page.busy((busy = is));
      if (!is) say(text);
    }
    /** end closes the worker, with what it holds, and says why. */
    function end(text: string): void {
      clearTimeout(waiting);
      worker?.terminate();
      worker = undefined;
      show(text, false);
    }
    /** patient waits for the next sign of life. */
    function patient(): void {
      clearTimeout(waiting);
      waiting = setTimeout(() => end(`No answer for ${data.patience} seconds, so reading was stopped. ${command}`), Number(data.patience) * 1000);
    }
    const failures: Record<string, (why: string) => string> = {
      load: (why) => `The reader could not be loaded from this site: ${why}`,
      file: (why) => `A file could not be opened: ${why}`,
      memory: () => `These files need more memory than a tab has. ${command}`,
      report: (why) => why,
    };

    function started(): Worker {
      // Made of a blob, the worker is held by the policy of this page; a script with an address is not.
      const scripts = [data.starter!, data.worker!].map((s) => JSON.stringify(new URL(s, location.href).href));
      const w = new Worker(URL.createObjectURL(new Blob([`importScripts(${scripts})`], { type: "text/javascript" })));
      w.onerror = (e) => {
        e.preventDefault();
        end(failures.load("its script failed"));
      };
      w.onmessage = ({ data: m }) => {
        patient();
        if ("loading" in m) show(`Loading the reader: ${(m.loading / 1e6).toFixed(1)} of ${data.size}`, true);
        else if ("reading" in m) show(`Reading: ${count(m.reading, "file")}, ${(m.bytes / 1e6).toFixed(1)} MB`, true);
        else if ("failed" in m) end(failures[m.failed](m.why));
        else {
          clearTimeout(waiting);
          show(page.read(m.report), false);
        }
      };
      return w;
    }

    function take(chosen: Files): void {
      if (!chosen.length) return;
      page.started(chosen);
      const bytes = chosen.reduce((n, [, f]) => n + f.size, 0);
      if (chosen.length > most) return end(`These are more than ${number(most)} files. ${command}`);
      if (bytes > Number(data.most))
        return end(`These files have ${(bytes / 1e6).toFixed(0)} MB, more than the ${Number(data.most) / 1e6} MB that are read here. ${command}`);
      if (busy) end("Stopped.");
      worker ??= started();
      patient();
      show("Reading", true);
      worker.postMessage({
        module: at(data.module!),
        names: at(data.names!),
        units: page.units && at(page.units),
        files: chosen.map(([name, file]) => ({ name, file })),
        most: Number(data.most),
      });
    }

    addEventListener("dragover", (e) => e.preventDefault());
    addEventListener("drop", (e) => {
      e.preventDefault();
      const items = [...(e.dataTransfer?.items ?? [])].filter((i) => i.kind === "file");
      const entries = items.map((i) => i.webkitGetAsEntry()).filter((x) => x !== null);
      const files: Files = [...(e.dataTransfer?.files ?? [])].map((f) => [f.name, f]);
      if (entries.length < items.length || !entries.length) return take(files);
      const into: Files = [];
      walked(entries, into).then(() => take(into), (why) => end(failures.file(String(why))));
    });
    return { box, take };
  }

  /** summary says what was read, in numbers. */
  export function summary(r: reported.Report): string {
    const points = r.runs?.reduce((n, run) => n + run.points, 0) ?? 0;
    return `Read: ${count(r.files.length, "file")}, ${count(r.runs?.length ?? 0, "run")}, ${count(points, "measured point")}.`;
  }
}
