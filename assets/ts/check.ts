// The page that reads files of its readers (layouts/check.html). They are read in a worker (reader.ts), by the program
// that makes catalogs; this file hands them over and shows what it says. All of it is text of foreign files: it becomes
// text nodes and nothing else. The script is made of dom.ts and this file.

namespace check {
  const { all, button, el, say, table } = dom;

  // What the reader says: package ingest/trial.
  interface Finding {
    severity: string;
    code: string;
    file?: string;
    line?: number;
    col?: number;
    run?: string;
    message: string;
  }
  interface Table {
    title: string;
    heads: { name: string; unit?: string }[];
    rows: { text: string; exact?: string }[][];
  }
  interface Run {
    id: string;
    model?: string;
    hardware?: string;
    engine?: string;
    tool?: string;
    started?: string;
    missing?: string[];
    points: number;
    tables?: Table[];
    stored: string;
  }
  interface Report {
    files: { path: string; format?: string; size: number; ignored?: string; errors?: number; points?: number }[];
    runs?: Run[];
    findings?: Finding[];
    redacted?: { key: string; count: number }[];
    unused?: { file: string; format: string; key: string; count: number }[];
    gaps?: { runs: number; missing: string[]; file: string; toml: string }[];
    unlisted?: { name: string; file: string; toml: string }[];
  }

  // How much is shown: a file may have more places that are wrong than a page can hold.
  const most = { files: 300, lines: 40, runs: 40, rows: 300, text: 1 << 20, chosen: 5000 };

  const number = (n: number) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const count = (n: number, one: string, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;
  const clip = (s: string) => (s.length > most.text ? s.slice(0, most.text) + "\n… cut" : s);

  /** capped makes an element of each of the first things, and one that says how many are left out. */
  function capped<T>(list: T[], max: number, make: (x: T) => HTMLElement, tag: "li" | "p" = "li"): HTMLElement[] {
    const out = list.slice(0, max).map(make);
    if (list.length > max) out.push(el(tag, { class: "mut" }, `And ${number(list.length - max)} more.`));
    return out;
  }

  const group = <T>(list: T[] | undefined, key: (x: T) => string | undefined): Map<string, T[]> => {
    const m = new Map<string, T[]>();
    for (const x of list ?? []) {
      const k = key(x) ?? "";
      m.get(k)?.push(x) ?? m.set(k, [x]);
    }
    return m;
  };

  const section = (id: string, title: string, ...content: (Node | string)[]) =>
    el("section", { id }, el("h2", {}, title), ...content);

  function found(f: Finding): HTMLElement {
    const place = [f.line && `line ${f.line}`, f.line && f.col && `column ${f.col}`].filter(Boolean).join(", ");
    const word = f.severity === "error" ? "Error" : f.severity === "warning" ? "Warning" : "Note";
    return el(
      "li",
      {},
      el("b", f.severity === "error" || f.severity === "warning" ? { class: "warn" } : {}, word),
      (place && ` at ${place}`) + `: ${f.message}`,
    );
  }

  function files(r: Report, formats: string): HTMLElement {
    const wrong = group(r.findings?.filter((f) => !f.run), (f) => f.file);
    const unused = group(r.unused, (u) => u.file);
    const item = (f: Report["files"][0]) => {
      const told: HTMLElement[] = [];
      if (f.points) told.push(el("li", {}, count(f.points, "measured point")));
      else if (f.format) told.push(el("li", {}, "no measured point of its own"));
      if (f.ignored) told.push(el("li", {}, `Not read: ${f.ignored}`));
      told.push(...capped(wrong.get(f.path) ?? [], most.lines, found));
      wrong.delete(f.path);
      const keys = unused.get(f.path) ?? [];
      if (keys.length)
        told.push(
          el("li", {}, `Kept and not used: ${keys.slice(0, most.lines).map((u) => u.key).join(", ")}` +
            (keys.length > most.lines ? ` and ${number(keys.length - most.lines)} more` : "")),
        );
      return el(
        "li",
        {},
        el("b", {}, f.path),
        el("span", { class: "mut" }, f.size >= 0 ? ` ${count(f.size, "byte")}` : "", f.format ? ", " : ""),
        f.format ? el("a", { href: `${formats}#format-${f.format.toLowerCase()}` }, f.format) : "",
        el("ul", { class: "told" }, ...told),
      );
    };
    const list = el("ul", { class: "list" }, ...capped(r.files, most.files, item));
    // What is wrong in a file that the list does not have: a run.toml.
    for (const [file, of] of wrong) {
      const told = el("ul", { class: "told" }, ...capped(of, most.lines, found));
      list.append(el("li", {}, el("b", {}, file || "All files"), told));
    }
    return section("read", "What was read", list);
  }

  function measured(t: Table): HTMLElement {
    const heads = t.heads.map((h, i) =>
      el("th", { scope: "col", class: i ? "n" : undefined }, h.name, h.unit ? el("span", { class: "u" }, " " + h.unit) : ""),
    );
    const rows = t.rows
      .slice(0, most.rows)
      .map((cells) =>
        el(
          "tr",
          {},
          ...cells.map((c, i) =>
            i ? el("td", { class: "n", title: c.exact }, ...(c.text ? [c.text] : dom.missing("not recorded"))) : el("th", { scope: "row" }, c.text),
          ),
        ),
      );
    const shown = table("compact", t.title, heads, rows);
    if (t.rows.length > most.rows) shown.append(el("p", { class: "mut" }, `And ${number(t.rows.length - most.rows)} more loads.`));
    return shown;
  }

  function runs(r: Report): HTMLElement {
    const wrong = group(r.findings, (f) => f.run);
    const one = (run: Run) => {
      const lacks = run.missing ?? [];
      const box = el(
        "div",
        {},
        el("h3", {}, `${run.model || "Model not recorded"} on ${run.hardware || "hardware not recorded"}`),
        el("p", {}, [run.engine, run.tool && `measured with ${run.tool}`, run.started, count(run.points, "measured point")].filter(Boolean).join(", ") + "."),
      );
      if (lacks.length) box.append(el("p", {}, el("span", { class: "flag" }, "Not recorded"), " " + lacks.join(", ")));
      const of = wrong.get(run.id) ?? [];
      if (of.length) box.append(el("ul", { class: "list" }, ...capped(of, most.lines, found)));
      for (const t of (run.tables ?? []).slice(0, most.lines)) box.append(el("p", {}, t.title), measured(t));
      const stored = el("details", {}, el("summary", {}, "The run as a catalog would store it"));
      stored.addEventListener("toggle", () => stored.append(el("pre", { class: "raw", tabindex: "0" }, clip(run.stored))), { once: true });
      box.append(stored);
      return box;
    };
    const list = r.runs ?? [];
    return section("runs", list.length === 1 ? "The run" : count(list.length, "run"), ...capped(list, most.runs, one, "p"));
  }

  /** lines are lines to paste, below the file that they belong into. */
  const lines = (file: string, text: string, why: string) =>
    el("div", {}, el("p", {}, el("code", {}, file), ": " + why), el("pre", { tabindex: "0" }, clip(text)));

  function report(r: Report, formats: string): HTMLElement[] {
    const out = [files(r, formats)];
    if (r.runs?.length) out.push(runs(r));
    const gone = r.redacted ?? [];
    if (r.files.some((f) => f.format)) {
      const list = gone.length
        ? el("ul", { class: "list" }, ...capped(gone, most.lines, (c) => el("li", {}, el("code", {}, c.key), `: ${count(c.count, "text")}`)))
        : el("p", {}, "Nothing: no key, prompt, path or name in it.");
      out.push(section("redacted", "What would be taken out", list));
    }
    const gaps = r.gaps ?? [];
    if (gaps.length)
      out.push(section("supply", "What no file says", ...capped(gaps, most.lines,
        (g) => lines(g.file, g.toml, `${count(g.runs, "run")} without ${g.missing.join(", ")}. These lines would supply it.`), "p")));
    const names = r.unlisted ?? [];
    if (names.length)
      out.push(section("unlisted", "Names in no list", el("p", {}, "Published all the same, as they are written. These lines would list them."),
        ...capped(names, most.lines, (u) => lines(u.file, u.toml, u.name), "p")));
    return out;
  }

  /** walked lists the files of what was dropped; a folder gives all below it. */
  async function walked(entries: FileSystemEntry[], into: [string, File][]): Promise<void> {
    for (const e of entries) {
      if (into.length > most.chosen) return;
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

  function start(app: HTMLElement): void {
    const data = app.dataset;
    const stay = "They are read on this device: nothing of them is sent, and nothing is asked for once the reader is here.";
    if (location.protocol === "file:") {
      app.append(el("p", { class: "drop" }, "From a folder a browser loads no reader. Open this page on a web server, or with ", el("code", {}, "inferdex serve"), "."));
      return;
    }
    if (!("WebAssembly" in window && "DecompressionStream" in window)) {
      app.append(el("p", { class: "drop" }, "This browser is too old to run the reader. A terminal does the same, see below."));
      return;
    }
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
    const result = el("div", { id: "check-result", "aria-busy": "false" });
    app.append(
      el("div", { class: "drop" },
        el("p", {}, "Drop result files, a folder or a zip anywhere on this page, or ",
          button("choose files", () => some.click(), { class: "act" }), " or ",
          button("choose a folder", () => folder.click(), { class: "act" }), "."),
        el("p", { class: "mut" }, `${stay} The reader, ${data.size}, is loaded with the first file.`),
        state, some, folder),
      result,
    );

    let worker: Worker | undefined;
    let waiting = 0;
    const stop = button("Stop", () => end("Stopped."), { class: "act" });

    /** show says what happens; spoken says that a reader of the page should hear it. */
    function show(text: string, busy: boolean): void {
      state.replaceChildren(text, busy ? " " : "", busy ? stop : "");
      result.setAttribute("aria-busy", String(busy));
      if (!busy) say(text);
    }
    /** end closes the worker, with what it holds, and says why. */
    function end(text: string): void {
      clearTimeout(waiting);
      worker?.terminate();
      worker = undefined;
      show(text, false);
    }
    const command = "A terminal does the same, see below.";
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
          result.replaceChildren(...report(m.report, data.formats!));
          const points = (m.report as Report).runs?.reduce((n, r) => n + r.points, 0) ?? 0;
          show(`Read: ${count(m.report.files.length, "file")}, ${count(m.report.runs?.length ?? 0, "run")}, ${count(points, "measured point")}.`, false);
        }
      };
      return w;
    }

    function take(chosen: [string, File][]): void {
      if (!chosen.length) return;
      result.replaceChildren();
      const bytes = chosen.reduce((n, [, f]) => n + f.size, 0);
      if (chosen.length > most.chosen) return end(`These are more than ${number(most.chosen)} files. ${command}`);
      if (bytes > Number(data.most))
        return end(`These files have ${(bytes / 1e6).toFixed(0)} MB, more than the ${Number(data.most) / 1e6} MB that are read here. ${command}`);
      if (waiting && result.getAttribute("aria-busy") === "true") end("Stopped.");
      worker ??= started();
      patient();
      show("Reading", true);
      const at = (s: string) => new URL(s, location.href).href;
      worker.postMessage({
        module: at(data.module!),
        names: at(data.names!),
        files: chosen.map(([name, file]) => ({ name, file })),
        most: Number(data.most),
      });
    }

    addEventListener("dragover", (e) => e.preventDefault());
    addEventListener("drop", (e) => {
      e.preventDefault();
      const items = [...(e.dataTransfer?.items ?? [])].filter((i) => i.kind === "file");
      const entries = items.map((i) => i.webkitGetAsEntry()).filter((x) => x !== null);
      const files: [string, File][] = [...(e.dataTransfer?.files ?? [])].map((f) => [f.name, f]);
      if (entries.length < items.length || !entries.length) return take(files);
      const into: [string, File][] = [];
      walked(entries, into).then(() => take(into), (why) => end(failures.file(String(why))));
    });
  }

  for (const app of all("#check-app")) start(app);
}
