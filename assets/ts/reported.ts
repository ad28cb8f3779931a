// What the reader says of files that were dropped on a page: package ingest/trial. All of it is text of foreign files: it
// becomes text nodes and nothing else.

namespace reported {
  const { el } = dom;

  export interface Finding {
    severity: string;
    code: string;
    file?: string;
    line?: number;
    col?: number;
    run?: string;
    message: string;
  }
  export interface Table {
    title: string;
    heads: { name: string; unit?: string }[];
    rows: { text: string; exact?: string }[][];
  }
  export interface Run {
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
    /** What its results are beside those of the run of the catalog with its id: equal or differs. */
    listed?: string;
    /** What it brings to a comparison, where the page asked for it. */
    member?: object;
  }
  export interface Report {
    files: { path: string; format?: string; size: number; ignored?: string; errors?: number; points?: number }[];
    runs?: Run[];
    findings?: Finding[];
    redacted?: { key: string; count: number }[];
    unused?: { file: string; format: string; key: string; count: number }[];
    gaps?: { runs: number; missing: string[]; file: string; toml: string }[];
    /** Of the engines that members name, as parameters.Version. */
    versions?: { name: string }[];
    unlisted?: { name: string; file: string; toml: string }[];
  }

  /** How much is shown: a file may have more places that are wrong than a page can hold. */
  export const most = { files: 300, lines: 40, runs: 40, rows: 300, text: 1 << 20 };

  export const number = (n: number) => n.toLocaleString("en").replaceAll(",", "\u202f");
  export const count = (n: number, one: string, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;
  export const clip = (s: string) => (s.length > most.text ? s.slice(0, most.text) + "\n… cut" : s);

  /** capped makes an element of each of the first things, and one that says how many are left out. */
  export function capped<T>(list: T[], max: number, make: (x: T) => HTMLElement, tag: "li" | "p" = "li"): HTMLElement[] {
    const out = list.slice(0, max).map(make);
    if (list.length > max) out.push(el(tag, { class: "mut" }, `And ${number(list.length - max)} more.`));
    return out;
  }

  export const group = <T>(list: T[] | undefined, key: (x: T) => string | undefined): Map<string, T[]> => {
    const m = new Map<string, T[]>();
    for (const x of list ?? []) {
      const k = key(x) ?? "";
      m.get(k)?.push(x) ?? m.set(k, [x]);
    }
    return m;
  };

  export const section = (id: string, title: string, ...content: (Node | string)[]) =>
    el("section", { id }, el("h2", {}, title), ...content);

  function found(f: Finding, file = ""): HTMLElement {
    const place = [f.line && `line ${f.line}`, f.line && f.col && `column ${f.col}`].filter(Boolean).join(", ");
    const word = f.severity === "error" ? "Error" : f.severity === "warning" ? "Warning" : "Note";
    return el(
      "li",
      {},
      el("b", f.severity === "error" || f.severity === "warning" ? { class: "warn" } : {}, word),
      (file && ` in ${file}`) + (place && ` at ${place}`) + `: ${f.message}`,
    );
  }

  /** ofFile are findings below the name of their file. */
  const ofFile = (of: Finding[]) => capped(of, most.lines, (f) => found(f));

  /** ofRuns are findings apart from their files: where more than one was read, each names its own. */
  export const ofRuns = (r: Report, of: Finding[]) =>
    capped(of, most.lines, (f) => found(f, r.files.length > 1 ? f.file : ""));

  export function files(r: Report, formats: string): HTMLElement {
    const wrong = group(r.findings?.filter((f) => !f.run), (f) => f.file);
    const unused = group(r.unused, (u) => u.file);
    const item = (f: Report["files"][0]) => {
      const told: HTMLElement[] = [];
      const beside = f.errors ? ", read beside what is wrong" : "";
      if (f.points) told.push(el("li", {}, count(f.points, "measured point") + beside));
      else if (f.format) told.push(el("li", {}, "no measured point of its own"));
      if (f.ignored) told.push(el("li", {}, `Not read: ${f.ignored}. `, el("a", { href: formats }, "What can be read")));
      told.push(...ofFile(wrong.get(f.path) ?? []));
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
      const told = el("ul", { class: "told" }, ...ofFile(of));
      list.append(el("li", {}, el("b", {}, file || "All files"), told));
    }
    return section("read", "What was read", list.children.length ? list : el("p", {}, "No file: there is none in the archive."));
  }

  /** removed says what would not enter a catalog as it is; undefined where nothing read a file. */
  export function removed(r: Report): HTMLElement | undefined {
    if (!r.files.some((f) => f.format)) return undefined;
    const gone = r.redacted ?? [];
    const list = gone.length
      ? el("ul", { class: "list" }, ...capped(gone, most.lines, (c) => el("li", {}, el("code", {}, c.key), `: ${count(c.count, "text")}`)))
      : el("p", {}, "Nothing: no key, prompt, path or name in it.");
    return section("redacted", "What would be taken out", list);
  }
}
