// The page /compare/: two to six runs that the reader chooses, side by side. A script of its own,
// loaded there alone (layouts/_partials/comparescript.html). Runs come as small scripts, one a run,
// which site/data/shards.go writes; they load from a folder too. They bring what is shown as text: this
// script finds what runs share by its keys, and puts it side by side. What it says of several runs is
// sentences of the list with names filled in.
//
// The address keeps the choice: #a,b,c with the ids of runs, the baseline first, then &w= the workload by its name, such
// as 1024-128, and &l= the load that is shown, where they are not the ones shown by themselves.
//
// Runs of files that the reader drops here stand beside them (drop.ts): they are made by the same program, and what they
// bring is of the same form. They have ids that no address can have, and nothing of them gets into one.
//
// Whatever a run holds is text written by others: it gets into the page by text nodes and
// attributes that el() sets, never as markup.

interface Inferdex {
  runs?(list: comparing.List): void;
  run?(packed: string): void;
  version?(version: parameters.Version): void;
}

namespace comparing {
  const { beside, button, el, say } = dom;
  const { matchers, searchable } = combobox;
  const { apart, change, count, enumerate, percent, plural, sentence } = numbers;

  const most = 6;

  interface Quantity {
    key: string;
    family: string;
    label: string;
    stat: string;
    name: string;
    long: string;
    better: number;
  }

  interface Axis {
    title: string;
    unit: string;
    pow2: boolean;
    caption: string;
  }

  /** The list of runs with the words that they share, as site/data/shards.go has it: names are places in lists. */
  export interface List {
    quantities: Quantity[];
    /** Keys of those that tell which load is shown, the first that a run has. */
    judged: string[];
    /** Rows of the table of runs: label, what stands where a run has no such fact. */
    facts: [string, string][];
    axes: Record<string, Axis>;
    sure: string[];
    says: Record<string, string>;
    states: [string, string][];
    kinds: Record<string, string>;
    system: [string, string][];
    fields: string[];
    ladder: plotting.Ladder;
    models: [string, string][];
    hardware: [string, string][];
    engines: string[];
    classes: string[];
    /** id, model, hardware, engine, series, day, classes, 1 if withdrawn */
    runs: [string, number, number, number, string, string, number[], number?][];
    more: number;
  }

  /** A number, its text, what it is made of, the kind of its interval, low, high, and the bar to draw if another. */
  type Measured = [number, string, string?, Interval?, number?, number?, number?, number?];

  /** What low and high are: see compare.IntervalKind. */
  const enum Interval {
    None,
    Measurements,
    Requests,
    Percentiles,
  }

  interface Load {
    l: string;
    at: string;
    p: string;
    short?: boolean;
    full?: boolean;
  }

  interface Workload {
    key: string;
    title: string;
    fields: string[];
    axis: string;
    main?: boolean;
    in?: Measured;
    out?: Measured;
    assumed?: string;
    loads: Load[];
    /** By quantity: the unit, then a cell for each load. */
    rows: Record<string, [string, ...(Measured | null)[]]>;
    /** For each load: of one user, of all, of each accelerator. */
    user?: ([Measured, Measured, Measured | null] | null)[];
    basis?: string;
    sure?: number;
  }

  interface Fact {
    t: string;
    sub?: string;
    href?: string;
    code?: boolean;
    warn?: boolean;
  }

  /** A run as compare.Member writes it. */
  export interface Run {
    id: string;
    title: string;
    note: string;
    /** Model, hardware, engine, series, day, time, id. */
    words: string[];
    facts: (Fact | null)[];
    says?: [string, string][];
    tool: string;
    /** What the tool means by a word, for comparison and as a sentence. */
    meanings?: [string, string][];
    /** Of a benchmark that the run was entered in. */
    division?: string;
    /** How many the run records. */
    accelerators?: number;
    figures?: { key: string; label: string; sub: string; better: number; cell: Measured }[];
    workloads?: Workload[];
    version?: string;
    recorded?: boolean;
    parameters?: parameters.Row[];
  }

  // Loading -----------------------------------------------------------------------------------

  const root = beside("../");
  const runs = new Map<string, Run>();
  const versions = new Map<string, parameters.Version>();
  const dropped = (id: string): boolean => id.startsWith("~"); // of a file that the reader dropped
  let list: List | undefined;
  let known: string[] = []; // runs of the catalog that are those of a dropped file

  const asked = new Map<string, Promise<boolean>>();
  let unpacking: Promise<unknown> = Promise.resolve();

  // load asks for a script once; what failed is asked for again the next time.
  function load(path: string): Promise<boolean> {
    const p =
      asked.get(path) ??
      new Promise((done) => {
        const s = el("script", { src: root + "compare/" + path });
        const failed = () => {
          asked.delete(path);
          s.remove();
          done(false);
        };
        s.onload = () => unpacking.then(() => done(true), failed); // what it brought is the last that was begun
        s.onerror = failed;
        document.head.append(s);
      });
    asked.set(path, p);
    return p;
  }

  async function loadRun(id: string): Promise<void> {
    await load(`runs/${id}.js`);
    const v = runs.get(id)?.version;
    if (v && safe(v)) await load(`versions/${v}.js`);
  }

  // safe are names of files that the program writes.
  const safe = (id: string): boolean => /^[a-z0-9][a-z0-9.-]{0,80}$/.test(id);

  // State -------------------------------------------------------------------------------------

  interface State {
    ids: string[];
    workload: string;
    load: string;
  }

  function parse(hash: string): State {
    let text = hash.replace(/^#/, "");
    try {
      text = decodeURIComponent(text);
    } catch {
      // it is shown as it is, and names nothing
    }
    const [ids, ...rest] = text.split("&");
    const own = (key: string) => rest.find((r) => r.startsWith(key))?.slice(key.length) ?? "";
    const all = new Set(
      ids
        .split(",")
        .map((i) => i.trim())
        .filter(Boolean),
    );
    return { ids: [...all].filter((id) => !dropped(id)).slice(0, most), workload: own("w="), load: own("l=") };
  }

  const written = (s: State): string =>
    s.ids.some(dropped)
      ? written({ ids: s.ids.filter((id) => !dropped(id)), workload: "", load: "" })
      : s.ids.length
        ? "#" + s.ids.join(",") + (s.workload && "&w=" + s.workload) + (s.load && "&l=" + s.load)
        : "";

  let state: State = { ids: [], workload: "", load: "" };

  // Words -------------------------------------------------------------------------------------

  // said is a sentence of the list with its words filled in.
  const said = (key: string, words: Record<string, string> = {}): string => filled(list!.says[key], words);

  const filled = (text: string, words: Record<string, string>): string =>
    text.replace(/\{(\w+)\}/g, (all, w) => words[w] ?? all);

  // titled is the title of a run by itself.
  const titled = (r: Run): string => r.title + (dropped(r.id) ? ", yours" : "");

  // names are the shortest texts that tell runs apart, in words that all of them have.
  function names(of: Run[]): string[] {
    const differ = (i: number) => new Set(of.map((r) => r.words[i])).size > 1;
    const parts = [0, 1, 2, 3].filter(differ);
    const name = (r: Run) => {
      const words = parts.map((i) => r.words[i]);
      return (parts[1] === 1 ? [r.title, ...words.slice(2)] : words).filter(Boolean).join(", ");
    };
    for (const more of [4, 5, 6]) {
      const all = of.map(name);
      if (new Set(all).size === all.length && all.every(Boolean)) break;
      if (differ(more)) parts.push(more);
    }
    return of.map((r) => name(r) || "run " + r.id);
  }

  // common are the words that all runs share: what is compared.
  function common(of: Run[]): string {
    const same = (i: number) => (of.every((r) => r.words[i] === of[0].words[i]) ? of[0].words[i] : "");
    return [same(0) && same(1) ? of[0].title : same(0) || same(1), same(2)].filter(Boolean).join(", ");
  }

  // Workloads ---------------------------------------------------------------------------------

  // A group is one workload with the runs that have it.
  interface Group {
    first: Workload;
    of: (Workload | undefined)[];
    n: number;
  }

  function groups(of: Run[]): Group[] {
    const all = new Map<string, Group>();
    of.forEach((r, i) =>
      r.workloads?.forEach((w) => {
        const g = all.get(w.key) ?? { first: w, of: of.map(() => undefined), n: 0 };
        all.set(w.key, g);
        g.of[i] = w;
        g.n++;
      }),
    );
    return [...all.values()];
  }

  // called is the title of a workload as an address has it, which stays as it is where it is pasted: "1 024 → 128" is
  // 1024-128. The slugs of pages are made alike.
  const called = (w: Workload): string =>
    dom
      .fold(w.title.replace(/\u202f/g, "").replace(/\s*→\s*/g, "-"))
      .replace(/[^a-z0-9.]+/g, "-")
      .replace(/^-|-$/g, "");

  // named are the groups that a word of an address means: those one of whose workloads is called so, or the one with
  // the key.
  const named = (gs: Group[], word: string): Group[] =>
    gs.filter((g) => g.first.key === word || g.of.some((w) => w && called(w) === word));

  // nameOf is what an address calls a group: as its workload is called, else its key where that means another one too.
  const nameOf = (gs: Group[], g: Group): string =>
    called(g.first) && named(gs, called(g.first)).length === 1 ? called(g.first) : g.first.key;

  const number = (l: string): number => (l === "inf" ? Infinity : Number(l));

  // loadsOf are the loads that at least n of some workloads have, in ascending order.
  function loadsOf(ws: (Workload | undefined)[], n: number): string[] {
    const of = new Map<string, number>();
    for (const w of ws) for (const l of w?.loads ?? []) of.set(l.l, (of.get(l.l) ?? 0) + 1);
    return [...of]
      .filter(([, k]) => k >= n)
      .map(([l]) => l)
      .sort((a, b) => number(a) - number(b));
  }

  const loadOf = (w: Workload, l: string): Load | undefined => w.loads.find((x) => x.l === l);

  // at is what a run measured of a quantity at a load.
  function at(w: Workload, q: string, l: string): Measured | undefined {
    const k = w.loads.findIndex((x) => x.l === l);
    return k < 0 ? undefined : ((w.rows[q]?.[k + 1] ?? undefined) as Measured | undefined);
  }

  // compared are the quantities of some workloads at some loads: of each family the first that most of them have.
  function compared(ws: Workload[], loads: string[]): Quantity[] {
    const best = new Map<string, { q: Quantity; n: number }>();
    for (const q of list!.quantities) {
      const n = ws.filter((w) => loads.some((l) => at(w, q.key, l))).length;
      if (n > (best.get(q.family)?.n ?? 1)) best.set(q.family, { q, n });
    }
    return [...best.values()].map((b) => b.q);
  }

  const unitOf = (ws: Workload[], q: Quantity): string => ws.find((w) => w.rows[q.key])!.rows[q.key][0];

  // certainty says whether the medians of two sides can be told apart; "" where nothing can be claimed.
  function certainty(a: Measured, b: Measured): "" | "distinguishable" | "not distinguishable" {
    if (!a[3] || !b[3]) return "";
    if (a[5]! < b[4]! || b[5]! < a[4]!) return "distinguishable";
    return a[3] === Interval.Percentiles || b[3] === Interval.Percentiles ? "" : "not distinguishable";
  }

  // Parts of the page -------------------------------------------------------------------------

  const link = (href: string, text: string): HTMLElement => (href ? el("a", { href }, text) : el("span", {}, text));
  // The rows of a large run stand on further pages, whose path is before the anchor.
  const runPage = (r: Run, anchor = ""): string => {
    const [id, path] = anchor.split("#").reverse();
    return dropped(r.id) ? "" : `${root}runs/${r.id}/${path ? path + "/" : ""}index.html${id && "#" + id}`;
  };
  const why = (anchor: string, text: string): HTMLElement =>
    link(`${root}about/methodology/index.html#${anchor}`, text);

  interface Cell {
    content: (string | Node)[];
    class?: string;
    title?: string;
    sub?: string;
    subWarn?: boolean;
  }

  const plain = (s: string): Cell => ({ content: [s] });
  const none = (reason: string): Cell => ({ content: dom.missing(reason), class: "na" });

  function cell(c: Cell, tag: "th" | "td", numeric: boolean): HTMLElement {
    const classes = [numeric && "n", c.class].filter(Boolean).join(" ");
    const e = el(tag, { scope: tag === "th" && "row", class: classes || false, title: c.title || false }, ...c.content);
    if (c.sub) e.append(el("span", { class: c.subWarn ? "sub warn" : "sub" }, c.sub));
    return e;
  }

  interface Line {
    head: Cell;
    cells: Cell[];
    class?: string;
  }

  // table makes a table whose first column heads its rows and whose further ones are runs.
  function table(
    caption: string,
    first: string,
    cs: Chosen[],
    rows: Line[],
    cls = "",
    numeric = false,
    base = false,
  ): HTMLElement {
    const heads = cs.map((c, i) =>
      el(
        "th",
        { scope: "col", class: numeric && "n" },
        plotting.mark(c.slot),
        c.name,
        ...(base && i === 0 ? [el("span", { class: "u" }, "baseline")] : []),
      ),
    );
    const body = rows.map((r) =>
      el("tr", { class: r.class || false }, cell(r.head, "th", false), ...r.cells.map((c) => cell(c, "td", numeric))),
    );
    return dom.table(cls, caption, [el("th", { scope: "col" }, first), ...heads], body, cs.length > 4);
  }

  const section = (id: string, title: string, ...content: (Node | string)[]): HTMLElement =>
    el("section", { id, "aria-labelledby": id + "-h" }, el("h2", { id: id + "-h" }, title), ...content);

  const para = (...parts: (Node | string)[]): HTMLElement => el("p", {}, ...parts);

  function selection(
    label: string,
    options: [string, string][],
    chosen: string,
    pick: (v: string) => void,
  ): HTMLElement {
    const s = el(
      "select",
      { class: "pick" },
      ...options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
    );
    s.addEventListener("change", () => pick(s.value));
    return el("label", { class: "cpick" }, el("span", {}, label), s);
  }

  // The comparison ----------------------------------------------------------------------------

  interface Chosen {
    run: Run;
    name: string;
    slot: number;
  }

  function runsTable(cs: Chosen[], gs: Group[]): HTMLElement {
    const fact = (f: Fact | null, absent: string): Cell => {
      if (!f) return none(absent);
      const text = f.href ? link(root + f.href, f.t) : f.t;
      return {
        content: [f.code ? el("code", {}, text) : text],
        sub: f.sub,
        subWarn: f.warn,
        class: f.warn && !f.sub ? "warn" : "",
      };
    };
    const rows = list!.facts.flatMap(([label, absent], k): Line[] =>
      cs.some((c) => c.run.facts[k]) || absent === "not recorded"
        ? [{ head: plain(label), cells: cs.map((c) => fact(c.run.facts[k], absent)) }]
        : [],
    );
    const shared = cs.map((_, i) =>
      plain(`${gs.filter((g) => g.n > 1 && g.of[i]).length} of ${gs.filter((g) => g.of[i]).length}`),
    );
    rows.splice(6, 0, { head: plain("Shared workloads"), cells: shared });
    return table("What the runs are", "What", cs, rows, "sides", false, true);
  }

  // differences are the fields of two workload classes that differ, in words.
  const differences = (a: Workload, b: Workload): string[] =>
    a.fields.flatMap((v, i) => (v === b.fields[i] ? [] : [`${list!.fields[i] ?? "field"}: ${v} and ${b.fields[i]}`]));

  interface Near {
    w: Workload;
    d: string[];
  }

  // nearest is the workload of a run that differs least from one.
  const nearest = (w: Workload, r: Run): Near | undefined =>
    (r.workloads ?? [])
      .map((o) => ({ w: o, d: differences(w, o) }))
      .reduce<Near | undefined>((a, b) => (a && a.d.length <= b.d.length ? a : b), undefined);

  type Warning = [topic: string, text: string, end?: Node];

  // refusal says why a run shares no workload with any of the others; nothing where it does.
  function refusal(c: Chosen, cs: Chosen[], gs: Group[]): Warning[] {
    const i = cs.indexOf(c),
      topic = "Not compared";
    if (gs.some((g) => g.n > 1 && g.of[i])) return [];
    if (!c.run.workloads?.length) return [[topic, said("nothing", { a: c.name })]];
    let best: { own: Workload; of: Chosen; near: Near } | undefined;
    for (const of of cs) {
      for (const own of of === c ? [] : c.run.workloads) {
        const near = nearest(own, of.run);
        if (near && (!best || near.d.length < best.near.d.length)) best = { own, of, near };
      }
    }
    if (!best) return [[topic, said("alone", { a: c.name })]];
    const words = { a: c.name, b: best.of.name, w: best.own.title, o: best.near.w.title, d: best.near.d.join("; ") };
    return [[topic, said("nearest", words), why("workload-class", "When workloads are equal")]];
  }

  // lengthsApart warns where actual lengths of a workload are more than 5 % apart.
  function lengthsApart(cs: Chosen[], g: Group, what: "in" | "out"): Warning[] {
    const have = cs
      .flatMap((c, i) => (g.of[i]?.[what] ? [{ c, m: g.of[i]![what]! }] : []))
      .sort((a, b) => a.m[0] - b.m[0]);
    const lo = have[0],
      hi = have[have.length - 1];
    if (have.length < 2 || (hi.m[0] - lo.m[0]) / lo.m[0] <= 0.05) return [];
    const apart = percent((hi.m[0] - lo.m[0]) / lo.m[0]);
    return [
      [
        "Lengths differ",
        said("lengths", {
          w: g.first.title,
          what: what + "put",
          apart,
          x: lo.m[1],
          a: lo.c.name,
          z: hi.m[1],
          b: hi.c.name,
        }),
      ],
    ];
  }

  function warnings(cs: Chosen[], gs: Group[], main: Group | undefined): Warning[] {
    const topic = (topic: string) =>
      cs.flatMap((c) =>
        (c.run.says ?? []).filter((s) => s[0] === topic).map((s): Warning => [topic, filled(s[1], { a: c.name })]),
      );
    const refused = cs.flatMap((c) => refusal(c, cs, gs));
    const out = [...topic("Withdrawn"), ...topic("Not to be believed"), ...(cs.length === 2 ? refused.slice(0, 1) : refused)]; // of two it holds of both
    const divisions = cs.filter((c) => c.run.division);
    if (new Set(divisions.map((c) => c.run.division!.toLowerCase())).size > 1)
      out.push(["Divisions differ", said("divisions", { d: enumerate(divisions.map((c) => `"${c.run.division}" for ${c.name}`)) })]);
    if (main) {
      const counted = cs.filter((c) => c.run.accelerators);
      if (new Set(counted.map((c) => c.run.accelerators)).size > 1)
        out.push(["Counts differ", said("counts", { d: enumerate(counted.map((c) => `${c.run.accelerators} of ${c.name}`)) })]);
      out.push(...lengthsApart(cs, main, "in"), ...lengthsApart(cs, main, "out"));
      if (main.first.assumed) out.push(["Assumed", said("assumed", { w: main.first.title, d: main.first.assumed })]);
    }
    const tools = [...new Map(cs.map((c) => [c.run.tool, c.run.meanings ?? []])).values()];
    for (const [text, means] of new Map(tools.flat().map(([means, text]) => [text, means]))) {
      if (!tools.every((o) => o.some((m) => m[0] === means))) out.push(["Words differ", text]);
    }
    return [...out, ...topic("Stated"), ...topic("Left out")];
  }

  function says(ws: Warning[]): HTMLElement {
    const d = el("dl", { class: "says" });
    ws.forEach(([topic, text, end], i) => {
      if (topic !== ws[i - 1]?.[0]) d.append(el("dt", { class: "w" }, topic));
      d.append(el("dd", {}, text, ...(end ? [end] : [])));
    });
    return d;
  }

  // measured are the cells of one quantity, one for each run: number, difference to the baseline, the best in bold.
  function measured(
    ms: (Measured | undefined)[],
    better: number,
    href: (i: number) => string,
    absent: (i: number) => string,
  ): Cell[] {
    const have = ms.filter((m) => m && m[0] !== null) as Measured[];
    const best = (better > 0 ? Math.max : Math.min)(...have.map((m) => m[0]));
    const winners = have.filter((m) => m[0] === best);
    // What cannot be told from the best is not worse.
    const told =
      better !== 0 &&
      winners.length === 1 &&
      have.length > 1 &&
      !have.some((m) => m !== winners[0] && certainty(m, winners[0]) === "not distinguishable");
    const base = ms[0];
    return ms.map((m, i): Cell => {
      if (!m) return none(absent(i));
      if (m[0] === null) return { content: [m[1] || "·"], sub: m[1] && "as published" };
      const out: Cell = { content: [link(href(i), m[1])], class: told && m === winners[0] ? "best" : "", title: m[2] };
      if (i > 0 && base && base[0] !== null) {
        const sure = certainty(base, m);
        out.sub = change(base[0], m[0]) + (sure === "not distinguishable" ? ", " + sure : "");
        if (sure) out.title += `; ${sure} from the baseline`;
      }
      return out;
    });
  }

  // atLoad are the cells of one quantity at one load.
  const atLoad = (cs: Chosen[], ws: Workload[], q: Quantity, l: string): Cell[] =>
    measured(
      ws.map((w) => at(w, q.key, l)),
      q.better,
      (i) => runPage(cs[i].run, loadOf(ws[i], l)!.p),
      (i) => (loadOf(ws[i], l) ? "not recorded" : "not measured at this load"),
    );

  const phrase = (ws: Workload[], l: string): string => ws.map((w) => loadOf(w, l)).find(Boolean)!.at;

  function sideBySide(cs: Chosen[], ws: Workload[], l: string): HTMLElement {
    const rows = compared(ws, [l]).map((q): Line => ({
      head: { content: [q.label], sub: (q.stat && q.stat + ", ") + unitOf(ws, q), title: q.long },
      cells: atLoad(cs, ws, q, l),
    }));
    return table(`Metrics of ${ws[0].title}, ${phrase(ws, l)}`, "Metric", cs, rows, "", true, true);
  }

  // loadRows is the table of one quantity at all loads.
  function loadRows(cs: Chosen[], ws: Workload[], q: Quantity): HTMLElement {
    const loads = loadsOf(ws, 1).filter((l) => ws.some((w) => at(w, q.key, l)));
    const rows = loads.map((l): Line => {
      const short = ws.some((w) => loadOf(w, l)?.short);
      return {
        head: { content: [apart(l)], sub: short ? "not all completed with output" : "", subWarn: true },
        cells: atLoad(cs, ws, q, l),
        class: short ? "amber" : "",
      };
    });
    const caption = `${q.name}, ${unitOf(ws, q)}, of ${ws[0].title} by load`;
    return table(caption, sentence(list!.axes[ws[0].axis].title), cs, rows, "compact", true, true);
  }

  // finding is the caption of a chart: who is best at the largest finite load that all have.
  function finding(cs: Chosen[], ws: Workload[], q: Quantity): string {
    const loads = loadsOf(ws, ws.length).filter((l) => ws.every((w) => at(w, q.key, l)));
    const l = loads.filter((l) => l !== "inf").pop() ?? loads.pop();
    if (l === undefined) return q.name;
    const order = cs
      .map((c, i) => ({ name: c.name, m: at(ws[i], q.key, l)! }))
      .sort((a, b) => (a.m[0] - b.m[0]) * (q.better < 0 ? 1 : -1));
    const a = order[0],
      b = order[1],
      z = order[order.length - 1];
    const words = { q: q.name, at: phrase(ws, l), a: a.name, b: b.name };
    if (certainty(a.m, b.m) === "not distinguishable") return said("tie", words);
    if (a.m[0] === b.m[0]) return said(a.m[0] === z.m[0] ? "equal" : "first", words);
    const best = said("best", {
      ...words,
      most: q.better < 0 ? "lowest" : "highest",
      x: a.m[1],
      z: z.m[1],
      unit: unitOf(ws, q),
    });
    return best + (order.length > 2 ? said("worst", { b: z.name }) : "");
  }

  interface Drawing {
    box: HTMLElement;
    plot: plotting.Plot;
    id: string;
  }

  let drawings: Drawing[] = [];
  let keyed: Chosen[] = [];

  function figure(id: string, find: string, what: string, plot: plotting.Plot, data?: HTMLElement): HTMLElement {
    const box = el("div", { class: "art" });
    drawings.push({ box, plot, id });
    return el(
      "figure",
      { class: "fig", id },
      el("figcaption", {}, el("p", { class: "find" }, find), el("p", { class: "what" }, what)),
      el("div", { class: "plot" }, box),
      ...(data ? [el("details", { class: "data" }, el("summary", {}, "Data table"), data)] : []),
    );
  }

  // paint draws all charts at the width they have, and the key of all above them, which hides and shows runs.
  function paint(): void {
    const width = (d: Drawing) => Math.floor(d.box.clientWidth) || 516;
    if (drawings.every((d) => d.box.dataset.w === String(width(d)))) return;
    for (const d of drawings) {
      const w = width(d);
      d.box.dataset.w = String(w);
      d.box.replaceChildren(plotting.draw(d.plot, d.id, w, w < 440 ? 320 : 340));
    }
    const section = document.getElementById("charts")!;
    section.querySelector(".key")!.replaceWith(plotting.key(keyed));
    charting.enhance(section, section);
  }

  // byLoad are the lines of one quantity against load.
  function byLoad(cs: Chosen[], ws: Workload[], q: Quantity): HTMLElement | undefined {
    const lines = cs.flatMap((c, i): plotting.Line[] => {
      const spots = ws[i].loads.flatMap((load): plotting.Spot[] => {
        const m = at(ws[i], q.key, load.l);
        if (!m) return [];
        const bar = m[6] !== undefined ? [m[6], m[7]] : [m[4], m[5]];
        return [
          {
            x: number(load.l),
            y: m[0],
            text: m[1],
            label: load.l,
            note: m[2],
            lo: bar[0],
            hi: bar[1],
            hollow: load.full && q.family !== "kv_cache_usage.value",
          },
        ];
      });
      return spots.length ? [{ name: c.name, slot: c.slot, spots }] : [];
    });
    const spots = lines.flatMap((l) => l.spots);
    if (lines.length < 2 || new Set(spots.map((s) => s.x)).size < 2) return undefined;
    const axis = list!.axes[ws[0].axis],
      unit = unitOf(ws, q);
    const what =
      `${q.long}, ${unit}. ${axis.caption}.` +
      (spots.some((s) => s.lo! < s.hi!) ? said("bars") : "") +
      (spots.some((s) => s.hollow) ? said("hollow") : "");
    return figure(
      "fig-" + q.key.replace(/[_.]/g, "-"),
      finding(cs, ws, q),
      what,
      {
        title: `${q.name} of ${ws[0].title} by load, ${plural(lines.length, "run")}`,
        x: axis,
        y: { title: q.name, unit },
        lines,
      },
      loadRows(cs, ws, q),
    );
  }

  // byUser is speed per user against throughput, per accelerator where all know how many they are.
  function byUser(cs: Chosen[], ws: Workload[]): HTMLElement | undefined {
    const each = ws.every((w) => (w.user ?? []).every((u) => !u || u[2]));
    const lines = cs.flatMap((c, i): plotting.Line[] => {
      const spots = (ws[i].user ?? []).flatMap((u, k): plotting.Spot[] => {
        const x = u?.[0],
          y = u?.[each ? 2 : 1];
        return x && y ? [{ x: x[0], y: y[0], text: y[1], xText: x[1], label: ws[i].loads[k].l }] : [];
      });
      return spots.length > 1 ? [{ name: c.name, slot: c.slot, spots }] : [];
    });
    const basis = new Set(ws.filter((w) => w.user).map((w) => w.basis));
    if (lines.length < 2 || basis.size > 1) return undefined;
    const q = "Output throughput" + (each ? " per accelerator" : "");
    const tops = lines.map((l) => `${l.spots.reduce((a, b) => (b.x > a.x ? b : a)).xText} tok/s with ${l.name}`);
    return figure("fig-user", said("user", { d: enumerate(tops) }), said("speeds", { q, d: [...basis][0]! }), {
      title: `${q} against speed per user, ${ws[0].title}`,
      x: { title: "speed per user", unit: "tok/s" },
      y: { title: q, unit: "tok/s" },
      lines,
      frontier: true,
    });
  }

  // figuresTable are what is known of whole runs, where two runs of one tool have it.
  function figuresTable(cs: Chosen[]): HTMLElement | undefined {
    const all = new Map(
      cs
        .flatMap((c) => c.run.figures ?? [])
        .reverse()
        .map((f) => [f.key, f]),
    );
    const rows = [...all.values()].reverse().flatMap((f): Line[] => {
      const ms = cs.map((c) => c.run.figures?.find((o) => o.key === f.key)?.cell);
      if (ms.filter(Boolean).length < 2) return [];
      return [
        {
          head: { content: [f.label], sub: f.sub },
          cells: measured(
            ms,
            f.better,
            (i) => runPage(cs[i].run, "figures"),
            () => "not recorded",
          ),
        },
      ];
    });
    return rows.length ? table("What is known of the whole runs", "Figure", cs, rows, "", true, true) : undefined;
  }

  // Parameters --------------------------------------------------------------------------------

  function value(c: parameters.Cell): Cell {
    const [text, sub] = list!.states[c.state + (c.byDefault ? list!.states.length / 2 : 0)];
    if (c.value !== undefined && !text) return { content: [el("code", {}, c.value)], class: "wrap-any", sub };
    return text === "null"
      ? { content: [el("code", {}, text)], sub }
      : c.state
        ? { content: [text], class: "na" }
        : none(text);
  }

  function diffTable(cs: Chosen[], caption: string, lines: parameters.Line[], cls = "pdiff"): HTMLElement {
    const labels = new Map(list!.system);
    return table(
      caption,
      "Parameter",
      cs,
      lines.map((l) => ({
        head: {
          content: [labels.get(l.kind === "system" ? l.name : "") ?? el("code", {}, l.name)],
          sub: l.owner ? "of " + l.owner : list!.kinds[l.kind],
        },
        cells: l.cells.map(value),
      })),
      cls,
    );
  }

  function parameterSection(cs: Chosen[]): HTMLElement {
    const sides = cs.map((c) => ({
      rows: c.run.parameters ?? [],
      recorded: !!c.run.recorded,
      version: versions.get(c.run.version ?? ""),
    }));
    const d = parameters.diff(
      sides,
      list!.system.map((s) => s[0]),
    );
    const lost = cs.filter((c) => !c.run.recorded).map((c) => c.name);
    const args = d.differs.filter((l) => l.kind === "argument").length;
    const intro = [
      lost.length ? said("arguments", { d: enumerate(lost) }) : args ? "" : said("alike"),
      args ? `${plural(args, "launch argument has", "launch arguments have")} another effective value.` : "",
      d.oneVersion.length
        ? `${plural(d.oneVersion.length, "argument is", "arguments are")} known to some of the versions only.`
        : "",
      `${plural(d.same.length, "value is", "values are")} equal. `,
    ]
      .filter(Boolean)
      .join(" ");
    const folded: [string, parameters.Line[]][] = [
      [plural(d.oneVersion.length, "argument") + " of some versions only", d.oneVersion],
      [plural(d.unclear.length, "value that cannot be compared", "values that cannot be compared"), d.unclear],
      [plural(d.same.length, "equal value"), d.same],
    ];
    const details = folded
      .filter(([, lines]) => lines.length)
      .map(([summary, lines]) => {
        const det = el("details", {}, el("summary", {}, summary));
        // Long tables are made when they are opened.
        det.addEventListener("toggle", () => {
          if (det.children.length > 1) return;
          det.append(diffTable(cs, summary, lines, "pdiff compact"));
          copying.enhance(det);
        });
        return det;
      });
    return section(
      "parameters",
      "Parameters",
      para(intro, why("parameter-diff", "What counts as a difference")),
      d.differs.length ? diffTable(cs, "Parameters that differ", d.differs) : para(said("same")),
      el("div", { class: "datas" }, ...details),
    );
  }

  // notComparable are the workloads that not all of the runs have, with what differs.
  function notComparable(cs: Chosen[], gs: Group[]): HTMLElement[] {
    const partial = gs.filter((g) => g.n < cs.length),
      shown = partial.slice(0, 40);
    if (partial.length === 0) return [];
    const rows = shown.map((g): Line => ({
      head: { content: [g.first.title], sub: g.n > 1 ? `compared among ${g.n}` : "not compared" },
      cells: cs.map((c, i): Cell => {
        if (g.of[i]) return plain("measured");
        const n = nearest(g.first, c.run);
        if (!n) return { content: ["no measured points"], class: "na" };
        return { content: [n.d.join("; ") || "measured once only"], class: "wrap-any", sub: "nearest: " + n.w.title };
      }),
    }));
    const first = partial.length > shown.length ? `; the first ${shown.length}` : "";
    const intro = `${plural(partial.length, "workload was", "workloads were")} not measured by all of the runs${first}. `;
    const t = table("Workloads that are not compared between all runs", "Workload", cs, rows);
    return [
      section(
        "not",
        "Not comparable",
        para(intro + said("not"), why("workload-class", "When workloads are equal")),
        rows.length > 6 ? el("details", { class: "data" }, el("summary", {}, plural(rows.length, "workload")), t) : t,
      ),
    ];
  }

  // The page ----------------------------------------------------------------------------------

  let app: HTMLElement, chosenList: HTMLElement, result: HTMLElement, offers: HTMLElement, status: HTMLElement;
  let refreshOptions: () => void = () => {};

  const comparable = (gs: Group[]): Group[] => gs.filter((g) => g.n > 1 && loadsOf(g.of, 2).length > 0);

  // mainGroup is the chosen workload, else the one that most runs share, then the one that cards are compared by,
  // then the one with most loads.
  function mainGroup(gs: Group[]): Group | undefined {
    const weight = (g: Group) => g.n * 1e6 + (g.of.some((w) => w?.main) ? 1e5 : 0) + loadsOf(g.of, g.n).length;
    const can = comparable(gs);
    const own = named(can, state.workload)[0];
    return own ?? can.reduce<Group | undefined>((a, b) => (a && weight(a) >= weight(b) ? a : b), undefined);
  }

  // mainLoad is the load that is shown side by side: the chosen one, else where the best throughput is.
  function mainLoad(ws: Workload[]): string {
    const some = loadsOf(ws, 2),
      all = loadsOf(ws, ws.length);
    if (some.includes(state.load)) return state.load;
    const top = (l: string) =>
      Math.max(...ws.map((w) => list!.judged.map((q) => at(w, q, l)).find(Boolean)?.[0] ?? -Infinity));
    return (all.length ? all : some).reduce((a, b) => (top(b) > top(a) ? b : a));
  }

  // showGroup shows one workload of the runs that measured it: side by side at one load, and overlaid.
  function showGroup(cs: Chosen[], main: Group, gs: Group[], n: number, lack: string[]): void {
    const ws = main.of.flatMap((w) => w ?? []),
      l = mainLoad(ws),
      loads = loadsOf(ws, 2),
      can = comparable(gs),
      title = ws[0].title;
    const controls = el("div", { class: "cpicks" });
    const offer = (
      label: string,
      options: [string, string][],
      chosen: string,
      change: (v: string) => Partial<State>,
    ) => {
      if (options.length < 2) return;
      const place = controls.children.length;
      controls.append(
        selection(label, options, chosen, (v) => {
          Object.assign(state, change(v));
          keep(false);
          const selects = () => dom.all(".cpick select", result);
          show(() => selects()[place] ?? selects()[0]);
        }),
      );
    };
    const workload = (g: Group): [string, string] => [
      nameOf(can, g),
      `${g.first.title} (${g.n} of ${n} runs, ${plural(loadsOf(g.of, 2).length, "load")})`,
    ];
    offer("Workload", can.map(workload), nameOf(can, main), (v) => ({ workload: v, load: "" }));
    offer(
      sentence(list!.axes[ws[0].axis].title),
      loads.map((l) => [l, apart(l)]),
      l,
      (v) => ({ load: v }),
    );
    const sure = list!.sure[Math.max(...ws.map((w) => w.sure ?? 0))];
    const words = said("side", { w: title, at: phrase(ws, l), a: cs[0].name, d: sure });
    const intro = para(words + (lack.length ? said("lack", { d: enumerate(lack) }) : ""));
    result.append(section("side", "Side by side", intro, controls, sideBySide(cs, ws, l)));
    const figs = compared(ws, loads).flatMap((q) => byLoad(cs, ws, q) ?? []);
    const user = byUser(cs, ws);
    if (user) figs.splice(3, 0, user);
    if (figs.length === 0) return;
    const s = section("charts", `Overlaid, ${title}`, plotting.key((keyed = cs)));
    while (figs.length > 1) s.append(el("div", { class: "pair" }, ...figs.splice(0, 2)));
    s.append(...figs);
    result.append(s);
  }

  function showResult(cs: Chosen[]): void {
    drawings = [];
    result.replaceChildren();
    if (cs.length < 2) return;
    const gs = groups(cs.map((c) => c.run)),
      main = mainGroup(gs),
      what = common(cs.map((c) => c.run));
    const title = plural(cs.length, "run");
    result.append(section("runs", what ? `${what}: ${title}` : title + " side by side", runsTable(cs, gs)));
    const ws = warnings(cs, gs, main);
    if (ws.length) result.append(section("know", "Read before you quote", says(ws)));
    const whole = figuresTable(cs);
    if (main) {
      // Those that measured the workload, by the shortest names that tell them apart.
      const members = cs.filter((_, i) => main.of[i]),
        short = names(members.map((c) => c.run));
      const lack = cs.filter((_, i) => !main.of[i]).map((c) => c.name);
      showGroup(
        members.map((c, i) => ({ ...c, name: short[i] })),
        main,
        gs,
        cs.length,
        lack,
      );
    } else if (!whole) {
      result.append(section("side", "Side by side", para(said("unshared"))));
    }
    if (whole) result.append(section("figures", "Figures of the whole runs", whole));
    result.append(parameterSection(cs), ...notComparable(cs, gs));
    copying.enhance(result);
    paint();
  }

  type Entry = List["runs"][number];

  const entry = (id: string): Entry | undefined => list?.runs.find((r) => r[0] === id);

  // rowWords are a row of the list in words: what it is, and what tells it apart.
  function rowWords(r: Entry): [string, string] {
    const own = [list!.engines[r[3]], r[4], r[5], r[0], r[7] ? "withdrawn" : ""];
    return [`${list!.models[r[1]][0]} on ${list!.hardware[r[2]][0]}`, own.filter(Boolean).join(" · ")];
  }

  // keep puts the state into the address: another choice of runs is a step in the history, another view of
  // them is none.
  function keep(step: boolean): void {
    const to = written(state) || location.pathname + location.search;
    if (location.hash !== written(state)) history[step ? "pushState" : "replaceState"](null, "", to);
  }

  type Focus = () => HTMLElement | null | undefined;

  function chooseRuns(ids: string[], focus?: Focus): void {
    state = { ids, workload: state.workload, load: "" };
    keep(true);
    show(focus);
  }

  // toc is the list of sections at the side of the page: of the pairs, or of what is compared.
  let pairs: Node[] | undefined;
  function toc(compares: boolean): void {
    const ul = document.querySelector(".toc ul");
    if (!ul) return;
    pairs ??= [...ul.childNodes];
    const own = () =>
      dom
        .all("#compare-app section")
        .map((s) => el("li", {}, link("#" + s.id, s.querySelector("h2")?.textContent ?? "")));
    ul.replaceChildren(...(compares ? own() : pairs));
  }

  // chosenRun is an entry of the list of chosen runs, with what can be done with it.
  function chosenRun(id: string, cs: Chosen[]): HTMLElement {
    const c = cs.find((x) => x.run.id === id),
      row = entry(id),
      name = c?.name ?? id.slice(0, 40);
    const firstButton = () => chosenList.querySelector("button");
    const others = state.ids.filter((o) => o !== id);
    const what: Node[] = c
      ? [
          plotting.mark(c.slot),
          link(runPage(c.run), c.name),
          el("span", { class: "sub" }, (titled(c.run) === c.name ? "" : titled(c.run) + " · ") + c.run.note),
        ]
      : [
          el("b", {}, row ? rowWords(row)[0] : "There is no run " + name),
          el(
            "span",
            { class: "sub" },
            row ? "it did not load" : "the address may be of another site, or the run has been taken out",
          ),
        ];
    const tools = el("span", { class: "ctools" });
    if (c && cs.length > 1) {
      tools.append(
        cs[0] === c
          ? el("span", { class: "mut" }, "baseline")
          : button("Make baseline", () => chooseRuns([id, ...others], firstButton), {
              class: "act",
              "aria-label": "Make baseline: " + name,
            }),
      );
    }
    tools.append(
      button("Remove", () => chooseRuns(others, () => firstButton() ?? app.querySelector("input")), {
        class: "act",
        "aria-label": "Remove " + name,
      }),
    );
    return el("li", {}, ...what, tools);
  }

  let turn = 0;

  // show brings the page to what the state says.
  async function show(focus?: Focus): Promise<void> {
    const mine = ++turn;
    const listed = state.ids.filter((id) => safe(id) && (entry(id) || (list?.more ?? 0) > 0));
    status.textContent = listed.some((id) => !runs.has(id)) ? "Loading…" : "";
    await Promise.all(listed.map(loadRun));
    status.textContent = "";
    if (mine !== turn) return;
    dropping.room(false); // before charts are drawn, which are as wide as their room
    const found = state.ids.flatMap((id) => runs.get(id) ?? []),
      ns = names(found);
    const cs = found.map((run, i) => ({ run, name: found.length > 1 ? ns[i] : titled(run), slot: i + 1 }));
    chosenList.replaceChildren(...state.ids.map((id) => chosenRun(id, cs)));
    offer(cs.length);
    showResult(cs);
    const missing = state.ids.filter((id) => !runs.has(id)).map((id) => id.slice(0, 40));
    const text =
      cs.length > 1 ? `Comparing ${enumerate(ns)}` : cs.length ? "One run is chosen; choose another to compare" : "";
    if (text) say(text + (missing.length ? `. Not found: ${missing.join(", ")}` : ""));
    document.documentElement.classList.toggle("comparing", cs.length > 1);
    toc(cs.length > 1);
    refreshOptions();
    focus?.()?.focus();
  }

  // Like is what tells which runs are near to one: names and workload classes.
  interface Like {
    model: string;
    hardware: string;
    engine: string;
    classes: number[];
  }

  const alike = (r: Entry): Like => ({
    model: list!.models[r[1]][0],
    hardware: list!.hardware[r[2]][0],
    engine: list!.engines[r[3]],
    classes: r[6],
  });

  // like is what the list says of a run, or a dropped run of itself.
  function like(id: string): Like[] {
    const r = entry(id),
      mine = dropped(id) && runs.get(id);
    if (r) return [alike(r)];
    if (!mine || !list) return [];
    const classes = (mine.workloads ?? []).map((w) => list!.classes.indexOf(w.key.split(".")[0])).filter((c) => c >= 0);
    return [{ model: mine.words[0], hardware: mine.words[1], engine: mine.version ? mine.words[2] : "", classes }];
  }

  // classes are those of the chosen runs, to tell which others share one.
  const classes = (): Set<number> => new Set(state.ids.flatMap(like).flatMap((l) => l.classes));

  // offer lists the nearest runs to compare with: those of the same workload, model and hardware. To a dropped run it
  // says in what they are near.
  function offer(chosen: number): void {
    offers.replaceChildren();
    const mine = state.ids.flatMap(like);
    if (!list || state.ids.length >= most) return;
    const choose = (id: string) =>
      chooseRuns([...state.ids, id], () => offers.querySelector("button") ?? app.querySelector("input"));
    const offered = (title: string, of: [id: string, name: string, note: string][]) => {
      if (of.length === 0) return;
      const id = "offers-" + offers.children.length;
      const items = of.map(([run, name, note]) =>
        el(
          "li",
          {},
          button(name, () => choose(run), { class: "act" }),
          el("span", { class: "mut" }, " " + note),
        ),
      );
      offers.append(
        el("p", { id, class: "skind" }, title),
        el("ul", { class: "coffers", "aria-labelledby": id }, ...items),
      );
    };
    const left = [...runs.values()].filter((r) => dropped(r.id) && !state.ids.includes(r.id));
    offered(
      "Yours, read on this device",
      left.slice(0, 40).map((r) => [r.id, r.title, r.note]),
    );
    if (mine.length === 0) return;
    const have = classes();
    const score = (r: Entry): number => {
      const n = r[6].filter((c) => have.has(c)).length;
      if (n === 0 || r[7] || state.ids.includes(r[0]) || known.includes(r[0])) return 0;
      const l = alike(r);
      return (
        n +
        (mine.some((c) => c.model === l.model) ? 1000 : 0) +
        (mine.some((c) => c.hardware === l.hardware) ? 500 : 0)
      );
    };
    let near = list.runs
      .map((r) => ({ r, s: score(r) }))
      .filter((x) => x.s > 0)
      .sort((a, b) => b.s - a.s)
      .map((x) => x.r);
    if (near.length === 0) {
      if (chosen === 1) offers.append(el("p", { class: "mut" }, said("lonely")));
      return;
    }
    const nearest = (title: string, fits: (r: Entry) => boolean, many: number) => {
      const of = near.filter(fits).slice(0, many);
      near = near.filter((r) => !of.includes(r));
      offered(
        title,
        of.map((r) => [r[0], ...rowWords(r)]),
      );
    };
    const yours = state.ids.filter(dropped).flatMap(like)[0];
    if (yours) {
      const { model, hardware, engine } = yours,
        shares = (r: Entry) => yours.classes.some((c) => r[6].includes(c));
      const of = (r: Entry) => shares(r) && alike(r);
      // What no file says is not another: then only what is the same is said.
      nearest(
        "Nearest in this catalog: same model and workload" + (hardware ? ", other hardware" : ""),
        (r) => (of(r) || {}).model === model && alike(r).hardware !== hardware,
        4,
      );
      nearest(
        "Nearest in this catalog: same hardware and workload" + (engine ? ", other engine or version" : ""),
        (r) => (of(r) || {}).hardware === hardware && alike(r).engine !== engine && alike(r).engine !== "",
        4,
      );
    }
    nearest("Runs that share a workload", () => true, chosen > 1 ? 4 : 8);
  }

  // chooser is the search for runs: a combobox, as the search of the header is one.
  function chooser(): HTMLElement {
    const hint = "Model, hardware, engine, date or id";
    const input = el("input", {
      type: "search",
      id: "compare-find",
      class: "cfind",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: hint,
    });
    const listbox = el("div", { role: "listbox", id: "compare-options", "aria-label": "Runs" });
    const info = el("p", { class: "sinfo" });
    const popup = el("div", { class: "spop cpop", hidden: true }, listbox, el("div", { class: "sfoot" }, info));
    const box = el(
      "div",
      { class: "cbox" },
      el("label", { for: "compare-find" }, "Add a run"),
      el("span", { class: "cfield" }, input, popup),
    );
    let texts: string[] | undefined;
    const take = (id: string) => {
      input.value = "";
      found.open(false);
      chooseRuns([...state.ids, id], () => (state.ids.length < most ? input : chosenList.querySelector("button")));
    };
    const option = (r: Entry): HTMLElement => {
      const [name, note] = rowWords(r);
      const o = el(
        "div",
        { role: "option", id: "compare-option-" + found.options.length, "aria-selected": "false" },
        name,
        " ",
        el("span", {}, note),
      );
      o.addEventListener("click", () => take(r[0]));
      found.options.push(o);
      return o;
    };
    const search = () => {
      found.clear();
      if (!list) return void (info.textContent = "Loading the list of runs…");
      found.open(true);
      texts ??= list.runs.map((r) =>
        searchable(...list!.models[r[1]], ...list!.hardware[r[2]], list!.engines[r[3]], r[4], r[5], r[0]),
      );
      const wanted = matchers(input.value),
        have = classes();
      const hits = list.runs.filter((r, i) => !state.ids.includes(r[0]) && wanted.every((w) => w.test(texts![i])));
      const shares = (r: Entry) => r[6].some((c) => have.has(c));
      for (const [kind, rows] of [
        ["Sharing a workload with what is chosen", hits.filter(shares)],
        [have.size > 0 ? "Other workloads: parameters only" : "Runs", hits.filter((r) => !shares(r))],
      ] as const) {
        const some = rows.slice(0, 12 - found.options.length);
        if (some.length === 0) continue;
        listbox.append(
          el(
            "div",
            { role: "group", "aria-label": kind },
            el("p", { class: "skind", "aria-hidden": "true" }, kind),
            ...some.map(option),
          ),
        );
      }
      const left = hits.length - found.options.length;
      info.textContent =
        hits.length === 0 ? "No run has such words." : left > 0 ? `${count(left)} more: add a word` : "";
      if (list.more > 0)
        info.textContent += ` The oldest ${count(list.more)} runs are not listed; their pages lead here.`;
      say(hits.length === 0 ? "no runs" : plural(hits.length, "run"));
    };
    const found = combobox.make(box, input, popup, listbox, search);
    refreshOptions = () => {
      const none = list?.runs.length === 0;
      input.disabled = none || state.ids.length >= most;
      input.placeholder = none
        ? "No run here names both its model and its hardware"
        : input.disabled
          ? "Six runs are chosen: remove one first"
          : hint;
      if (!popup.hidden) search();
    };
    return box;
  }

  // Files of the reader ------------------------------------------------------------------------

  // yours is what files are dropped on; read gets what is said of them.
  function yours(read: HTMLElement): HTMLElement[] {
    const data = app.dataset;
    if (!data.module)
      return [
        dropping.absent(
          "This site was built without the reader for browsers, so no result file of yours can be set beside these runs. ",
          link(root + "check/index.html", "What is needed"), "."),
      ];
    // What the reader of the page states, as the lines of a run.toml by its path.
    const stated = new Map<string, string>();
    let files: dropping.Files = [];
    let again = false;
    const { box, take, pack } = dropping.make({
      data,
      units: data.units,
      invitation: "Set results of your own beside them: drop result files, a folder or a zip anywhere on this page",
      afterwards:
        "this page asks for nothing afterwards but runs of the catalog: those that you choose, and those that your files hold too. No other run of yours is in a link to this page",
      command: "inferdex compare RESULTS --baseline card",
      started(chosen) {
        if (!again) {
          stated.clear();
          files = chosen;
        }
        again = false;
        state.ids = state.ids.filter((id) => !dropped(id));
        for (const id of [...runs.keys()].filter(dropped)) runs.delete(id);
        known = [];
        read.replaceChildren();
        keep(false);
      },
      failed: () => void show(),
      busy: (is) => read.setAttribute("aria-busy", String(is)),
      async read(r) {
        for (const v of r.versions ?? []) versions.set("~" + v.name, v as parameters.Version);
        const mine = (r.runs ?? []).map((x, i) => mineOf(x, "~" + (i + 1), stated.size > 0 && !x.missing?.length));
        // What the catalog has is shown from there.
        const ids: string[] = [];
        known = [];
        (r.runs ?? []).forEach((x, i) => {
          if (entry(x.id)) known.push(x.id);
          if (entry(x.id) && x.listed === "equal") return void ids.push(x.id);
          runs.set(mine[i].id, mine[i]);
          if (mine[i].workloads?.length || mine[i].figures?.length) ids.push(mine[i].id);
        });
        const chosen = state.ids.filter((id) => !ids.includes(id)).slice(0, most - 1);
        read.replaceChildren(...told(r));
        state = { ids: [...ids.slice(0, most - chosen.length), ...chosen], workload: state.workload, load: "" };
        keep(false);
        await show();
        return dropping.summary(r);
      },
    });

    // mineOf is what a dropped run brings, with words that tell it from runs of the catalog.
    function mineOf(x: reported.Run, id: string, said: boolean): Run {
      const m = x.member as Run;
      const words = [...m.words];
      words[3] = [words[3], "yours"].filter(Boolean).join(", ");
      const says: [string, string][] = said
        ? [["Stated", "{a}: its reader states what no file says of model, hardware or engine."]]
        : [];
      return {
        ...m,
        id,
        words,
        version: m.version && "~" + m.version,
        says: [...(m.says ?? []), ...says],
      };
    }

    // told is what was read, and a form for what no file says.
    function told(r: reported.Report): HTMLElement[] {
      const out = [reported.files(r, data.formats!)];
      const wrong = (r.findings ?? []).filter((f) => f.run);
      if (wrong.length) out[0].append(el("ul", { class: "list" }, ...reported.ofRuns(r, wrong)));
      for (const { id, listed } of r.runs ?? []) {
        if (!known.includes(id)) continue;
        const there = link(`${root}runs/${id}/index.html`, `run ${id}`);
        out[0].append(
          listed === "equal"
            ? para("In the catalog already: every value equals ", there, ", which is shown from the catalog.")
            : para("The catalog has ", there, " of the same measurement with other values. Yours is shown as it was read."),
        );
      }
      const gone = reported.removed(r);
      if (gone) out.push(gone);
      const asked = ask(r);
      if (asked) out.push(asked);
      out.push(...dropping.submission(data, r, pack));
      return out;
    }

    // ask asks for what no file says: the lines of a run.toml, of which the reader fills in the values.
    function ask(r: reported.Report): HTMLElement | undefined {
      const gaps = (r.gaps ?? []).slice(0, 6).map((g) => ({ ...g }));
      if (r.runs?.length && r.runs.every((x) => !x.engine)) {
        const top = gaps[0] ?? { file: "run.toml", toml: "", runs: r.runs.length, missing: [] };
        if (!gaps.length) gaps.push(top);
        top.toml = `engine = ""\n${top.toml}`;
        top.missing = [...top.missing, "engine"];
      }
      if (!gaps.length || r.runs?.every((x) => x.listed === "equal")) return undefined;
      const names: Record<string, string[]> = {
        model: list?.models.map((m) => m[0]) ?? [],
        hardware: list?.hardware.map((h) => h[0]) ?? [],
        engine: [...new Set(list?.engines.map((e) => e.split(" ")[0]) ?? [])],
      };
      const form = el("form", {});
      const fields = gaps.map((g, k) => {
        form.append(para(`${plural(g.runs, "run")} for which ${g.file} would say it:`));
        const picks = el("div", { class: "cpicks" });
        form.append(picks);
        return g.missing.map((key) => {
          const line = new RegExp(`^${key} = (".*?")`, "m").exec(g.toml)?.[1];
          const options = el("datalist", { id: `ask-${k}-${key}` }, ...names[key].map((n) => el("option", { value: n })));
          const input = el("input", { type: "text", value: line && JSON.parse(line), list: options.id, autocomplete: "off" });
          picks.append(el("label", { class: "cpick" }, el("span", {}, sentence(key)), input, options));
          return { key, input };
        });
      });
      form.append(el("button", { type: "submit", class: "act" }, "Read again with this"));
      form.addEventListener("submit", (e) => {
        e.preventDefault();
        gaps.forEach((g, k) => {
          let toml = g.toml;
          for (const { key, input } of fields[k]) {
            const to = input.value.trim() && `${key} = ${JSON.stringify(input.value.trim())}`;
            toml = toml.replace(new RegExp(`^${key} = .*$`, "gm"), () => to);
          }
          stated.set(g.file, toml + "\n" + (stated.get(g.file) ?? ""));
        });
        again = true;
        restate();
      });
      return section("ask", "What no file says", para("Where you know it, it is kept as your statement. The comparison works without it, but nothing is given per accelerator."), form);
    }

    // restate reads the files again, with what was stated before what a run.toml among them says.
    function restate(): void {
      const all = files.filter(([name]) => !stated.has(name));
      for (const [name, text] of stated) {
        const old = files.find((f) => f[0] === name)?.[1];
        all.push([name, new File([text, old ?? ""], "run.toml")]);
      }
      take(all);
    }
    return [box];
  }

  // Rows of the matrices of results can be ticked, and those runs are set side by side. The first one ticked is the
  // baseline.
  function ticks(): void {
    for (const table of dom.all("table.results")) {
      const ticked: string[] = [];
      const go = button("", () => chooseRuns(ticked, () => chosenList.querySelector("button")), { class: "act" });
      const boxes = dom.all("tbody tr", table).map((tr) => {
        const head = tr.querySelector("th")!;
        const box = el("input", { type: "checkbox", "aria-label": "Tick " + head.innerText.trim().replace(/\s+/g, " ") });
        box.addEventListener("change", () => {
          if (box.checked) ticked.push(tr.id.slice(2));
          else ticked.splice(ticked.indexOf(tr.id.slice(2)), 1);
          update();
        });
        head.prepend(box);
        return box;
      });
      const update = () => {
        for (const b of boxes) b.disabled = !b.checked && ticked.length >= most;
        go.disabled = ticked.length < 2;
        go.textContent = go.disabled ? "Tick two to six rows to compare them" : `Compare ${ticked.length} runs`;
      };
      update();
      table.closest("details, section")!.querySelector(".ticked")!.append(go);
    }
  }

  // A link within the page, such as the one to its content, is no choice of runs.
  const inPage = (): boolean => location.hash.length > 1 && !!document.getElementById(location.hash.slice(1));

  function start(): void {
    const place = document.getElementById("compare-app");
    if (!place) return;
    app = place;
    chosenList = el("ol", { class: "chosen", "aria-label": "Chosen runs" });
    offers = el("div", { class: "offers" });
    status = el("p", { class: "mut" });
    result = el("div", { id: "compare-result" });
    const read = el("div", { id: "compare-read", "aria-busy": "false" });
    app.append(section("choose", "Choose two to six runs", chooser(), ...yours(read), chosenList, status, offers), read, result);
    ticks();
    const api = (window.inferdex ??= {});
    api.runs = (l) => {
      list = l;
      plotting.drawing.by = l.ladder;
    };
    api.run = (packed) => {
      unpacking = packing.unpacked(packed).then((text) => {
        const r: Run = JSON.parse(text);
        runs.set(r.id, r);
      });
    };
    api.version = (v) => versions.set(v.name, v);
    if (!inPage()) state = parse(location.hash);
    // The list of pairs does not appear first and move away then.
    document.documentElement.classList.toggle("comparing", state.ids.length > 1);
    load("runs.js").then((ok) => {
      if (ok) show();
      else status.textContent = "The list of runs did not load.";
    });
    addEventListener("hashchange", () => {
      if (inPage()) return state.ids.length ? history.replaceState(null, "", written(state) || location.pathname + location.search) : undefined;
      const mine = state.ids.filter(dropped),
        read = parse(location.hash);
      state = { ...read, ids: [...mine, ...read.ids].slice(0, most) };
      show();
    });
    let timer = 0;
    addEventListener("resize", () => {
      clearTimeout(timer);
      timer = window.setTimeout(paint, 120);
    });
  }

  start();
}
