// The page /compare/: two to six runs that the reader chooses, side by side. A script of its own,
// loaded there alone (layouts/_partials/comparescript.html). Runs come as small scripts, one a run,
// which site/shards.go writes; they load from a folder too.
//
// The address keeps the choice: #a,b,c with the ids of runs, the baseline first, then &w= the class of
// the workload and &l= the load that is shown, where they are not the ones shown by themselves.
//
// Whatever a run holds is text written by others: it gets into the page by text nodes and
// attributes that el() sets, never as markup.

interface Inferdex {
  runs?(list: comparing.List): void;
  run?(run: comparing.Run): void;
  version?(version: parameters.Version): void;
}

namespace comparing {
  const { beside, button, el, say } = dom;
  const { matchers, searchable } = combobox;
  const { change, count, enumerate, format, percent, plural, scale, sentence } = numbers;

  const most = 6;

  /** The list of runs, as site/shards.go writes it: names are places in lists. */
  export interface List {
    /** id, label, base unit, 1 higher is better or -1 lower, name in full */
    metrics: [string, string, string, number, string][];
    system: [string, string][];
    fields: string[];
    models: [string, string][];
    hardware: [string, string][];
    engines: string[];
    classes: string[];
    /** id, model, hardware, engine, series, day, classes, 1 if withdrawn */
    runs: [string, number, number, number, string, string, number[], number?][];
    more: number;
  }

  /** What lowest and highest of a median are, as site/shards.go numbers it. */
  const enum Interval {
    None,
    Measurements,
    Requests,
    Percentiles,
  }

  /** null, a number, or a median with lowest, highest, number of measurements, what these are, number of requests */
  type Measured = null | number | [number, number, number, number, Interval, number?];

  export interface Workload {
    title: string;
    class: string;
    fields: string[];
    axis: string;
    main?: boolean;
    in?: number;
    out?: number;
    assumed?: string[];
    loads: (number | "inf")[];
    anchors: string[];
    short: number[];
    more?: number;
    metrics: Record<string, Record<string, Measured[]>>;
    user?: (number | null)[];
    basis?: string;
  }

  export interface Run {
    id: string;
    card: string;
    model: string;
    hardware: string;
    engine: string;
    series: string;
    started: string;
    tool: string;
    notes?: string[];
    withdrawn?: string;
    each?: number;
    points: number;
    done?: number;
    sent?: number;
    meanings?: [string, string][];
    /** metric, base unit, direction, of what, value, published text */
    figures?: [string, string, number, string, number | null, string][];
    workloads?: Workload[];
    more?: number;
    version?: string;
    recorded?: boolean;
    parameters?: parameters.Row[];
  }

  // Loading -----------------------------------------------------------------------------------

  const root = beside("../");
  const runs = new Map<string, Run>();
  const versions = new Map<string, parameters.Version>();
  let list: List | undefined;

  const asked = new Map<string, Promise<boolean>>();

  // load asks for a script once; what failed is asked for again the next time.
  function load(path: string): Promise<boolean> {
    let p = asked.get(path);
    if (!p) {
      p = new Promise((done) => {
        const s = el("script", { src: root + "compare/" + path });
        s.onload = () => done(true);
        s.onerror = () => {
          asked.delete(path);
          s.remove();
          done(false);
        };
        document.head.append(s);
      });
      asked.set(path, p);
    }
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
    const s: State = { ids: [...new Set(ids.split(",").map((i) => i.trim()).filter(Boolean))].slice(0, most), workload: "", load: "" };
    for (const r of rest) {
      if (r.startsWith("w=")) s.workload = r.slice(2);
      if (r.startsWith("l=")) s.load = r.slice(2);
    }
    return s;
  }

  const written = (s: State): string => (s.ids.length ? "#" + s.ids.join(",") + (s.workload ? "&w=" + s.workload : "") + (s.load ? "&l=" + s.load : "") : "");

  let state: State = { ids: [], workload: "", load: "" };

  // Runs in words -----------------------------------------------------------------------------

  const where = (r: { model: string; hardware: string }): string => (r.hardware ? `${r.model} on ${r.hardware}` : `${r.model}, hardware not recorded`);

  const when = (started: string): string => started.slice(0, 16).replace("T", " ");

  // names are the shortest texts that tell runs apart, in words that all of them have.
  function names(of: Run[]): string[] {
    const differ = (get: (r: Run) => string) => new Set(of.map(get)).size > 1;
    const parts: ((r: Run) => string)[] = [];
    const model = differ((r) => r.model), hardware = differ((r) => r.hardware);
    if (model || hardware) parts.push((r) => (model && hardware ? where(r) : model ? r.model : r.hardware || "hardware not recorded"));
    if (differ((r) => r.engine)) parts.push((r) => r.engine || "engine not recorded");
    if (differ((r) => r.series)) parts.push((r) => r.series);
    const all = () => of.map((r) => parts.map((p) => p(r)).filter(Boolean).join(", "));
    const unique = (list: string[]) => new Set(list).size === list.length && list.every(Boolean);
    for (const more of [(r: Run) => r.started.slice(0, 10), (r: Run) => when(r.started).slice(11), (r: Run) => "run " + r.id]) {
      if (unique(all())) break;
      if (differ(more)) parts.push(more);
    }
    return all().map((n, i) => n || "run " + of[i].id);
  }

  // common are the words that all runs share: what is compared.
  function common(of: Run[]): string {
    const same = (get: (r: Run) => string) => (of.every((r) => get(r) === get(of[0])) ? get(of[0]) : "");
    const model = same((r) => r.model), hardware = same((r) => r.hardware), engine = same((r) => r.engine);
    return [model && hardware ? where(of[0]) : model || hardware, engine].filter(Boolean).join(", ");
  }

  // Workloads ---------------------------------------------------------------------------------

  // A group is one workload with the runs that have it: each run's scenarios of one class stand
  // for each other in their order.
  interface Group {
    key: string;
    title: string;
    axis: string;
    of: (Workload | undefined)[];
    n: number;
  }

  function groups(of: Run[]): Group[] {
    const all = new Map<string, Group>();
    of.forEach((r, i) => {
      const seen = new Map<string, number>();
      for (const w of r.workloads ?? []) {
        const n = (seen.get(w.class) ?? 0) + 1;
        seen.set(w.class, n);
        const key = n > 1 ? `${w.class}.${n}` : w.class;
        let g = all.get(key);
        if (!g) all.set(key, (g = { key, title: w.title, axis: w.axis, of: of.map(() => undefined), n: 0 }));
        g.of[i] = w;
        g.n++;
      }
    });
    return [...all.values()];
  }

  const number = (l: number | "inf"): number => (l === "inf" ? Infinity : l);
  const loadText = (l: number): string => (l === Infinity ? "inf" : String(l));

  // shared are the loads that at least two runs of a group have, in ascending order.
  function shared(g: Group): number[] {
    const n = new Map<number, number>();
    for (const w of g.of) for (const l of w?.loads ?? []) n.set(number(l), (n.get(number(l)) ?? 0) + 1);
    return [...n].filter(([, k]) => k > 1).map(([l]) => l).sort((a, b) => a - b);
  }

  // full counts the loads that all runs of a group have.
  const full = (g: Group): number => shared(g).filter((l) => g.of.every((w) => !w || w.loads.some((x) => number(x) === l))).length;

  // at is what a run measured of a statistic at a load.
  function at(w: Workload | undefined, metric: string, stat: string, load: number): Exclude<Measured, null> | undefined {
    const i = w?.loads.findIndex((l) => number(l) === load) ?? -1;
    return i < 0 ? undefined : (w!.metrics[metric]?.[stat]?.[i] ?? undefined);
  }

  const middle = (m: Exclude<Measured, null>): number => (typeof m === "number" ? m : m[0]);

  const typical = ["value", "median", "mean"];
  const tails = ["p99", "p95", "p90"];

  interface Row {
    metric: string;
    label: string;
    unit: string;
    better: number;
    long: string;
    stat: string;
  }

  // rowsOf are the metrics of a group with the statistic by which they are compared: the first that
  // most of the runs that have the metric have.
  function rowsOf(g: Group, loads: number[]): Row[] {
    const out: Row[] = [];
    for (const [metric, label, unit, better, long] of list!.metrics) {
      for (const stats of [metric === "kv_cache_usage" ? ["value", "max"] : typical, tails]) {
        let best = "", many = 1;
        for (const stat of stats) {
          const n = g.of.filter((w) => loads.some((l) => at(w, metric, stat, l) !== undefined)).length;
          if (n > many) [best, many] = [stat, n];
        }
        if (best) out.push({ metric, label, unit, better, long, stat: best });
      }
    }
    return out;
  }

  const statName = (r: Row): string => r.label + (r.stat === "value" ? "" : ", " + r.stat);

  const axisWords: Record<string, string> = { concurrency: "parallel requests", rate: "requests a second", batch: "batch size" };
  const axisHead: Record<string, string> = { concurrency: "parallel requests", rate: "request rate", batch: "batch size" };

  function atLoad(g: Group, l: number): string {
    if (g.axis === "rate" && l === Infinity) return "at an infinite request rate";
    if (g.axis === "rate") return l === 1 ? "at 1 request a second" : `at ${loadText(l)} requests a second`;
    if (g.axis === "concurrency") return l === 1 ? "with 1 request at a time" : `at ${loadText(l)} parallel requests`;
    if (g.axis === "batch") return `at batch size ${loadText(l)}`;
    return "";
  }

  // certainty says whether the medians of two sides can be told apart; "" where nothing can be claimed.
  function certainty(a: Exclude<Measured, null>, b: Exclude<Measured, null>): "" | "distinguishable" | "not distinguishable" {
    if (typeof a === "number" || typeof b === "number" || a[4] === Interval.None || b[4] === Interval.None) return "";
    if (a[2] < b[1] || b[2] < a[1]) return "distinguishable";
    return a[4] === Interval.Percentiles || b[4] === Interval.Percentiles ? "" : "not distinguishable";
  }

  // interval says in words what stands behind a number that is more than one number.
  function interval(m: Exclude<Measured, null | number>, s: numbers.Scale): string {
    const range = `${format(s.of(m[1]))} to ${format(s.of(m[2]))} ${s.unit}`;
    switch (m[4]) {
      case Interval.None:
        return `median of ${m[3]} measurements from ${range}`;
      case Interval.Measurements:
        return `median of ${m[3]} measurements, 95\u202f% interval ${range}`;
    }
    return `median over ${plural(m[5] ?? 0, "request")}, 95\u202f% interval ${m[4] === Interval.Percentiles ? "within " : ""}${range}`;
  }

  // Parts of the page -------------------------------------------------------------------------

  const link = (href: string, text: string): HTMLElement => el("a", { href }, text);
  const runPage = (r: Run, anchor = ""): string => `${root}runs/${r.id}/index.html${anchor && "#" + anchor}`;
  const methodology = (anchor: string): string => `${root}about/methodology/index.html#${anchor}`;

  type CellContent = string | Node;

  interface Cell {
    content: CellContent[];
    class?: string;
    title?: string;
    sub?: string;
    subWarn?: boolean;
  }

  const plain = (s: string): Cell => ({ content: [s] });
  const none = (why = "not recorded"): Cell => ({ content: [el("span", { "aria-hidden": "true" }, "·"), el("span", { class: "vh" }, why)], class: "na" });
  const said = (why: string): Cell => ({ content: [why], class: "na" });

  function cell(c: Cell, numeric: boolean, head = false): HTMLElement {
    const e = head ? el("th", { scope: "row" }) : el("td");
    const classes = [numeric ? "n" : "", c.class ?? ""].filter(Boolean).join(" ");
    if (classes) e.className = classes;
    if (c.title) e.title = c.title;
    e.append(...c.content);
    if (c.sub) e.append(el("span", { class: c.subWarn ? "sub warn" : "sub" }, c.sub));
    return e;
  }

  // table makes a table whose first column heads its rows and whose further ones are runs.
  function table(caption: string, first: string, heads: Node[][], rows: Cell[][], options: { class?: string; numeric?: boolean; rowClass?: string[] } = {}): HTMLElement {
    const t = el("table", { class: "d " + (options.class ?? "") });
    t.append(el("caption", { class: "vh" }, caption));
    const n = options.numeric ?? false;
    const head = el("tr", {}, el("th", { scope: "col" }, first));
    for (const h of heads) head.append(el("th", { scope: "col", class: n ? "n" : undefined }, ...h));
    t.append(el("thead", {}, head));
    const body = el("tbody");
    rows.forEach((r, i) => body.append(el("tr", { class: options.rowClass?.[i] || undefined }, ...r.map((c, k) => cell(c, n && k > 0, k === 0)))));
    t.append(body);
    return el("div", { class: "scroll" + (heads.length > 4 ? " always" : ""), role: "region", tabindex: "0", "aria-label": caption }, t);
  }

  function section(id: string, title: string, ...content: (Node | string)[]): HTMLElement {
    return el("section", { id, "aria-labelledby": id + "-h" }, el("h2", { id: id + "-h" }, title), ...content);
  }

  const para = (...parts: (Node | string)[]): HTMLElement => el("p", {}, ...parts);

  function selection(label: string, options: [string, string][], chosen: string, pick: (v: string) => void): HTMLElement {
    const s = el("select", { class: "pick" });
    for (const [value, text] of options) s.append(el("option", { value, selected: value === chosen }, text));
    s.addEventListener("change", () => pick(s.value));
    return el("label", { class: "cpick" }, el("span", {}, label), s);
  }

  // The comparison ----------------------------------------------------------------------------

  interface Chosen {
    run: Run;
    name: string;
    slot: number;
  }

  const headOf = (c: Chosen, base = false): Node[] => [plotting.mark(c.slot), document.createTextNode(c.name), ...(base ? [el("span", { class: "u" }, "baseline")] : [])];

  function runsTable(cs: Chosen[], gs: Group[]): HTMLElement {
    const row = (label: string, f: (c: Chosen, i: number) => Cell): Cell[] => [plain(label), ...cs.map(f)];
    const fact = (s: string): Cell => (s ? plain(s) : none());
    const rows = [
      row("Card", (c) => ({ content: [link(`${root}cards/${c.run.card}/index.html`, where(c.run))] })),
      row("Run", (c) => ({ content: [el("code", {}, link(runPage(c.run), c.run.id))], sub: c.run.series })),
      row("Engine", (c) => fact(c.run.engine)),
      row("Measured with", (c) => fact(c.run.tool)),
      row("Started", (c) => fact(c.run.started.replace("T", " "))),
      row("Points, requests", (c) => {
        const lost = (c.run.sent ?? 0) - (c.run.done ?? 0);
        return { content: [count(c.run.points) + (c.run.sent ? ", " + count(c.run.sent) : "")], sub: lost > 0 ? count(lost) + " not completed" : "", subWarn: true };
      }),
      row("Shared workloads", (_, i) => plain(`${gs.filter((g) => g.n > 1 && g.of[i]).length} of ${gs.filter((g) => g.of[i]).length}`)),
    ];
    if (cs.some((c) => c.run.notes)) rows.push(row("To know", (c) => (c.run.notes ? { content: [enumerate(c.run.notes)], class: "warn" } : none("nothing"))));
    return table("What the runs are", "What", cs.map((c, i) => headOf(c, i === 0)), rows, { class: "sides" });
  }

  // differences are the fields of two workload classes that differ, in words.
  function differences(a: Workload, b: Workload): string[] {
    return a.fields.flatMap((v, i) => (v === b.fields[i] ? [] : [`${list!.fields[i] ?? "field"}: ${v} and ${b.fields[i]}`]));
  }

  // nearest is the workload of a run that differs least from one.
  function nearest(w: Workload, r: Run): [Workload, string[]] | undefined {
    let best: [Workload, string[]] | undefined;
    for (const o of r.workloads ?? []) {
      const d = differences(w, o);
      if (!best || d.length < best[1].length) best = [o, d];
    }
    return best;
  }

  interface Warning {
    topic: string;
    parts: (string | Node)[];
  }

  // refusal says why a run shares no workload with any of the others; undefined where it does.
  function refusal(c: Chosen, cs: Chosen[], gs: Group[]): Warning | undefined {
    const i = cs.indexOf(c);
    if (gs.some((g) => g.n > 1 && g.of[i])) return undefined;
    const topic = "Not compared";
    if (!c.run.workloads?.length) return { topic, parts: [`${c.name} has no measured points, only what is known of the whole run.`] };
    let best: { w: Workload; o: Workload; d: string[]; of: Chosen } | undefined;
    for (const other of cs) {
      if (other === c) continue;
      for (const w of c.run.workloads) {
        const n = nearest(w, other.run);
        if (n && (!best || n[1].length < best.d.length)) best = { w, o: n[0], d: n[1], of: other };
      }
    }
    if (!best) return { topic, parts: [`${c.name}: none of the other runs has measured points.`] };
    return { topic, parts: [`${c.name} shares no workload with the others. The nearest are its ${best.w.title} and ${best.o.title} of ${best.of.name}, which differ in ${best.d.join("; ")}. `, link(methodology("workload-class"), "When workloads are equal")] };
  }

  function warnings(cs: Chosen[], gs: Group[], main: Group | undefined): Warning[] {
    const out: Warning[] = [];
    for (const c of cs) {
      if (c.run.withdrawn) out.push({ topic: "Withdrawn", parts: [`${c.name} is withdrawn and must not be quoted: ${c.run.withdrawn}`] });
    }
    for (const c of cs) {
      const r = refusal(c, cs, gs);
      if (r) out.push(r);
      if (r && cs.length === 2) break; // of two it holds of both
    }
    if (main) {
      for (const [what, get] of [["input", (w: Workload) => w.in ?? 0], ["output", (w: Workload) => w.out ?? 0]] as const) {
        const have = cs.map((c, i) => ({ c, v: main.of[i] ? get(main.of[i]!) : 0 })).filter((x) => x.v > 0);
        if (have.length < 2) continue;
        const lo = have.reduce((a, b) => (b.v < a.v ? b : a)), hi = have.reduce((a, b) => (b.v > a.v ? b : a));
        const apart = (hi.v - lo.v) / lo.v;
        if (apart > 0.05) out.push({ topic: "Lengths differ", parts: [`${main.title}: the actual ${what} lengths are ${percent(apart)} apart (${format(lo.v)} tokens for ${lo.c.name}, ${format(hi.v)} for ${hi.c.name}): another tokenizer, or answers that end by themselves.`] });
      }
      const assumed = main.of.find((w) => w)?.assumed ?? [];
      if (assumed.length) out.push({ topic: "Assumed", parts: [`${main.title}: not recorded by any of them, and so only assumed to be equal: ${enumerate(assumed)}.`] });
    }
    const tools = new Map<string, Run>();
    for (const c of cs) tools.set(c.run.tool.split(" ")[0] + JSON.stringify(c.run.meanings ?? []), c.run);
    if (tools.size > 1) {
      const of = [...tools.values()];
      const told = new Set<string>();
      for (const r of of) {
        for (const m of r.meanings ?? []) {
          const text = `${m[0]}: ${r.tool} measures ${m[1]}.`;
          if (of.every((o) => o.meanings?.some((x) => x[0] === m[0] && x[1] === m[1])) || told.has(text)) continue;
          told.add(text);
          out.push({ topic: "Words differ", parts: [text] });
        }
      }
    }
    for (const c of cs) {
      if (c.run.more) out.push({ topic: "Left out", parts: [`${plural(c.run.more, "more workload")} of ${c.name}: `, link(runPage(c.run, "data"), "all of its points"), "."] });
    }
    return out;
  }

  function says(ws: Warning[]): HTMLElement {
    const d = el("dl", { class: "says" });
    let last = "";
    for (const w of ws) {
      if (w.topic !== last) d.append(el("dt", { class: "w" }, w.topic));
      last = w.topic;
      d.append(el("dd", {}, ...w.parts));
    }
    return d;
  }

  // measured are the cells of one quantity at one load, one for each run: number, difference to the
  // baseline, the best in bold.
  function measured(cs: Chosen[], g: Group, r: Row, load: number, s: numbers.Scale): Cell[] {
    const ms = g.of.map((w) => at(w, r.metric, r.stat, load));
    const base = g.of.findIndex((w) => w);
    const have = ms.filter((m) => m !== undefined);
    const values = have.map(middle);
    const best = r.better > 0 ? Math.max(...values) : Math.min(...values);
    const winners = ms.filter((m) => m !== undefined && middle(m) === best);
    // What cannot be told from the best is not worse.
    const told = r.better !== 0 && winners.length === 1 && have.length > 1 && !have.some((m) => m !== winners[0] && certainty(m, winners[0]!) === "not distinguishable");
    return cs.map((c, i) => {
      const m = ms[i], w = g.of[i];
      if (!w) return said("another workload");
      if (m === undefined) return none(w.loads.some((l) => number(l) === load) ? "not recorded" : "not measured at this load");
      const v = middle(m);
      const out: Cell = { content: [link(runPage(c.run, w.anchors[w.loads.findIndex((l) => number(l) === load)]), format(s.of(v)))] };
      if (told && m === winners[0]) out.class = "best";
      const b = ms[base];
      if (typeof m !== "number") out.title = interval(m, s);
      if (i !== base && b !== undefined) {
        const sure = certainty(b, m);
        out.sub = change(middle(b), v) + (sure === "not distinguishable" ? ", " + sure : "");
        if (sure) out.title += "; " + sure + " from the baseline";
      }
      return out;
    });
  }

  // repeated says in sentences what may be claimed of the numbers of a group.
  function repeated(g: Group): string {
    const seen = new Set<Interval>();
    let several = false;
    for (const w of g.of) {
      for (const stats of Object.values(w?.metrics ?? {})) {
        for (const ms of Object.values(stats)) {
          for (const m of ms) {
            if (m === null || typeof m === "number") continue;
            seen.add(m[4]);
            several ||= m[3] > 1;
          }
        }
      }
    }
    const told = `Where intervals of two medians overlap, the difference is called not distinguishable`;
    if (seen.has(Interval.Measurements)) return `${told}; where fewer than six measurements exist, nothing is claimed of chance.`;
    const once = several ? "No number was measured six times" : "Each number was measured once";
    if (seen.has(Interval.Requests)) return `${told}. ${once}: how far repeated runs would lie apart is not known.`;
    return `${once}: whether a difference is chance cannot be told.`;
  }

  function sideBySide(cs: Chosen[], g: Group, load: number): HTMLElement {
    const rows: Cell[][] = [];
    for (const r of rowsOf(g, [load])) {
      const values = g.of.flatMap((w) => {
        const m = at(w, r.metric, r.stat, load);
        return m === undefined ? [] : [middle(m)];
      });
      if (values.length < 2) continue;
      const s = scale(r.unit, values);
      rows.push([{ content: [r.label], sub: (r.stat === "value" ? "" : r.stat + ", ") + s.unit, title: r.long }, ...measured(cs, g, r, load, s)]);
    }
    const base = g.of.findIndex((w) => w);
    return table(`Metrics of ${g.title} ${atLoad(g, load)}`, "Metric", cs.map((c, i) => headOf(c, i === base)), rows, { numeric: true });
  }

  // loadRows is the table of one quantity at all loads.
  function loadRows(cs: Chosen[], g: Group, r: Row, s: numbers.Scale): HTMLElement {
    const loads = [...new Set(g.of.flatMap((w) => w?.loads.map(number) ?? []))].sort((a, b) => a - b);
    const rows: Cell[][] = [], classes: string[] = [];
    for (const l of loads) {
      const cells = measured(cs, g, r, l, s);
      if (!cells.some((c) => c.class !== "na")) continue;
      const short = g.of.some((w) => w?.short.some((k) => number(w.loads[k]) === l));
      rows.push([{ content: [loadText(l)], sub: short ? "not all completed" : "", subWarn: true }, ...cells]);
      classes.push(short ? "amber" : "");
    }
    const base = g.of.findIndex((w) => w);
    return table(`${statName(r)}, ${s.unit}, of ${g.title} by load`, sentence(axisHead[g.axis] ?? "load"), cs.map((c, i) => headOf(c, i === base)), rows, { class: "compact", numeric: true, rowClass: classes });
  }

  // finding is the caption of a chart: who is best at the largest finite load that all have.
  function finding(cs: Chosen[], g: Group, r: Row, s: numbers.Scale): string {
    const loads = shared(g).filter((l) => cs.every((_, i) => !g.of[i] || at(g.of[i], r.metric, r.stat, l) !== undefined));
    const finite = loads.filter(Number.isFinite);
    const load = finite.length ? finite[finite.length - 1] : loads[loads.length - 1];
    if (load === undefined) return statName(r);
    const all = cs.flatMap((c, i) => (g.of[i] ? [{ c, m: at(g.of[i], r.metric, r.stat, load)! }] : []));
    const order = all.sort((a, b) => (middle(a.m) - middle(b.m)) * (r.better < 0 ? 1 : -1));
    const word = r.better === 0 || r.better > 0 ? "highest" : "lowest";
    const a = order[0], z = order[order.length - 1];
    const values = `${format(s.of(middle(a.m)))} against ${format(s.of(middle(z.m)))} ${s.unit}`;
    if (certainty(a.m, order[1].m) === "not distinguishable") return `${statName(r)} ${atLoad(g, load)}: ${a.c.name} and ${order[1].c.name} are not distinguishable`;
    if (middle(a.m) === middle(order[1].m)) return `${statName(r)} ${atLoad(g, load)}: ${order.every((o) => middle(o.m) === middle(a.m)) ? "equal" : a.c.name + " and others are equal"}`;
    return `${statName(r)} is ${word} with ${a.c.name} ${atLoad(g, load)}: ${values}${order.length > 2 ? " with " + z.c.name : ""}`;
  }

  interface Drawing {
    box: HTMLElement;
    plot: plotting.Plot;
    id: string;
  }

  let drawings: Drawing[] = [];

  function figure(id: string, find: string, what: string, plot: plotting.Plot, data?: HTMLElement): HTMLElement {
    const box = el("div", { class: "art" });
    drawings.push({ box, plot, id });
    const f = el("figure", { class: "fig", id }, el("figcaption", {}, el("p", { class: "find" }, find), el("p", { class: "what" }, what)), el("div", { class: "plot" }, box));
    if (data) f.append(el("details", { class: "data" }, el("summary", {}, "Data table"), data));
    return f;
  }

  // paint draws all charts at the width they have.
  function paint(): void {
    for (const d of drawings) {
      const w = Math.floor(d.box.clientWidth) || 516;
      if (d.box.dataset.w === String(w)) continue;
      d.box.dataset.w = String(w);
      d.box.replaceChildren(...plotting.draw(d.plot, d.id, w, w < 440 ? 320 : 340));
      charting.enhance(d.box);
    }
  }

  // full scale lines of one quantity.
  function metricFigure(cs: Chosen[], g: Group, r: Row): HTMLElement | undefined {
    const lines: plotting.Line[] = [];
    const values: number[] = [];
    const each = cs.map((_, i) => {
      const w = g.of[i];
      return (w?.loads ?? []).flatMap((l, k) => {
        const m = w!.metrics[r.metric]?.[r.stat]?.[k];
        if (m === null || m === undefined) return [];
        values.push(middle(m));
        return [{ x: number(l), m, k }];
      });
    });
    const s = scale(r.unit, values);
    each.forEach((points, i) => {
      if (points.length === 0) return;
      const w = g.of[i]!;
      const q = (name: string, k: number): number | undefined => {
        const m = w.metrics[r.metric]?.[name]?.[k];
        return r.stat === "median" && m !== null && m !== undefined ? s.of(middle(m)) : undefined;
      };
      lines.push({
        name: cs[i].name,
        slot: cs[i].slot,
        spots: points.map(({ x, m, k }) => {
          const spot: plotting.Spot = { x, y: s.of(middle(m)), lo: q("p25", k), hi: q("p75", k) };
          if (spot.lo !== undefined && spot.hi !== undefined) spot.note = `quartiles ${format(spot.lo)} to ${format(spot.hi)}`;
          if (typeof m !== "number" && m[3] > 1) Object.assign(spot, { lo: s.of(m[1]), hi: s.of(m[2]) });
          if (typeof m !== "number") spot.note = interval(m, s);
          const kv = w.metrics.kv_cache_usage;
          const use = kv?.value?.[k] ?? kv?.max?.[k];
          if (r.metric !== "kv_cache_usage" && use !== null && use !== undefined && middle(use) >= 0.95) spot.hollow = true;
          return spot;
        }),
      });
    });
    const loads = new Set(lines.flatMap((l) => l.spots.map((p) => p.x)));
    if (lines.length < 2 || loads.size < 2) return undefined;
    const bars = lines.some((l) => l.spots.some((p) => p.lo !== undefined));
    const hollow = lines.some((l) => l.spots.some((p) => p.hollow));
    const head = axisHead[g.axis] ?? "load";
    const what = `${sentence(r.long)}${r.stat === "value" ? "" : ", " + r.stat}, ${s.unit}. Horizontal: ${head}${g.axis === "rate" ? "" : ", logarithmic"}.${bars ? " Bars: quartiles, or the interval of repeated measurements." : ""}${hollow ? " Hollow marks: KV cache at 95\u202f% or more." : ""}`;
    const desc = lines.map((l) => `${l.name}: ${l.spots.map((p) => `${loadText(p.x)}: ${format(p.y)}`).join(", ")} ${s.unit}`).join("; ") + ".";
    const plot: plotting.Plot = {
      title: `${statName(r)} of ${g.title} by load, ${plural(lines.length, "run")}`,
      desc,
      x: { title: head, unit: g.axis === "rate" ? "requests/s" : "", scale: g.axis === "rate" ? "linear" : "pow2" },
      y: { title: statName(r), unit: s.unit, scale: "auto" },
      lines,
    };
    return figure(`fig-${r.metric.replace(/_/g, "-")}-${r.stat}`, finding(cs, g, r, s), what, plot, loadRows(cs, g, r, s));
  }

  // userFigure is speed per user against throughput per accelerator.
  function userFigure(cs: Chosen[], g: Group): HTMLElement | undefined {
    const each = cs.every((c, i) => !g.of[i] || (c.run.each ?? 0) > 0);
    const lines: plotting.Line[] = [];
    const basis = new Set<string>();
    cs.forEach((c, i) => {
      const w = g.of[i];
      const spots: plotting.Spot[] = [];
      w?.loads.forEach((l, k) => {
        const x = w.user?.[k], y = w.metrics.output_throughput?.value?.[k];
        if (l === "inf" || typeof x !== "number" || y === null || y === undefined) return;
        spots.push({ x, y: middle(y) / (each ? c.run.each! : 1), label: loadText(number(l)) });
      });
      if (spots.length > 1) {
        lines.push({ name: c.name, slot: c.slot, spots });
        basis.add(w!.basis ?? "");
      }
    });
    if (lines.length < 2 || basis.size > 1) return undefined;
    const y = each ? "Output throughput per accelerator" : "Output throughput";
    const tops = lines.map((l) => `${format(Math.max(...l.spots.map((s) => s.x)))} tok/s with ${l.name}`);
    return figure("fig-user", "One user gets up to " + enumerate(tops), `${y} against speed per user (${[...basis][0]}). Up and to the right is better; numbers are loads, grey marks are beaten by another load of their run.`, {
      title: `${y} against speed per user, ${g.title}`,
      desc: lines.map((l) => `${l.name}: ${l.spots.map((s) => `load ${s.label}: ${format(s.x)} and ${format(s.y)}`).join(", ")} tok/s`).join("; ") + ".",
      x: { title: "speed per user", unit: "tok/s", scale: "linear" },
      y: { title: y, unit: "tok/s", scale: "linear" },
      lines,
      frontier: true,
    });
  }

  // figuresTable are what is known of whole runs, where two runs of one tool have it.
  function figuresTable(cs: Chosen[]): HTMLElement | undefined {
    const lines = new Map<string, { label: string; unit: string; better: number; of: string; tool: string; cells: ({ v: number | null; published: string } | undefined)[] }>();
    cs.forEach((c, i) => {
      for (const [label, unit, better, of, v, published] of c.run.figures ?? []) {
        const tool = JSON.stringify(c.run.meanings ?? []) + c.run.tool.split(" ")[0], key = [label, unit, of, tool].join("\0");
        let l = lines.get(key);
        if (!l) lines.set(key, (l = { label, unit, better, of, tool, cells: cs.map(() => undefined) }));
        l.cells[i] ??= { v, published };
      }
    });
    const rows: Cell[][] = [];
    for (const l of lines.values()) {
      if (l.cells.filter(Boolean).length < 2) continue;
      const values = l.cells.flatMap((c) => (c && c.v !== null ? [c.v] : []));
      const s = scale(l.unit, values);
      const best = l.better > 0 ? Math.max(...values) : Math.min(...values);
      const base = l.cells.findIndex((c) => c && c.v !== null);
      rows.push([
        { content: [l.label], sub: [l.of, s.unit].filter(Boolean).join(", ") },
        ...l.cells.map((c, i): Cell => {
          if (!c) return none();
          if (c.v === null) return { content: [c.published || "·"], sub: c.published ? "as published" : "" };
          const out: Cell = { content: [link(runPage(cs[i].run, "figures"), format(s.of(c.v)))] };
          if (values.length > 1 && c.v === best && l.better !== 0 && values.filter((v) => v === best).length === 1) out.class = "best";
          if (i !== base) out.sub = change(l.cells[base]!.v!, c.v);
          return out;
        }),
      ]);
    }
    if (rows.length === 0) return undefined;
    return table("What is known of the whole runs", "Figure", cs.map((c, i) => headOf(c, i === 0)), rows, { numeric: true });
  }

  // Parameters --------------------------------------------------------------------------------

  const kinds: Record<string, string> = { system: "system", argument: "launch argument", wrapper: "wrapper", environment: "environment", client: "measurement" };

  function value(c: parameters.Cell): Cell {
    const code = (s: string): Node => el("code", {}, s);
    switch (c.state) {
      case parameters.State.Redacted:
        return said("redacted");
      case parameters.State.UnknownToVersion:
        return said("not an argument of this version");
      case parameters.State.Absent:
        return c.value !== undefined ? { content: [code(c.value)], class: "wrap-any", sub: "not set: default of this version" } : none();
      case parameters.State.Null:
        if (c.byDefault) return { content: [code(c.value ?? "")], class: "wrap-any", sub: "null: default of this version" };
        return { content: [code("null")], sub: "chosen by the engine" };
    }
    return { content: [code(c.value ?? "")], class: "wrap-any" };
  }

  function diffTable(cs: Chosen[], caption: string, lines: parameters.Line[], cls = "pdiff"): HTMLElement {
    const labels = new Map(list!.system);
    const rows = lines.map((l) => {
      const name: Node = l.kind === "system" ? document.createTextNode(labels.get(l.name) ?? l.name) : el("code", {}, l.name);
      return [{ content: [name], sub: l.owner ? "of " + l.owner : kinds[l.kind] }, ...l.cells.map(value)];
    });
    return table(caption, "Parameter", cs.map((c) => headOf(c)), rows, { class: cls });
  }

  function parameterSection(cs: Chosen[]): HTMLElement {
    const d = parameters.diff(
      cs.map((c) => ({ rows: c.run.parameters ?? [], recorded: !!c.run.recorded, version: c.run.version ? versions.get(c.run.version) : undefined })),
      list!.system.map((s) => s[0]),
    );
    const lost = cs.filter((c) => !c.run.recorded).map((c) => c.name);
    const args = d.differs.filter((l) => l.kind === "argument").length;
    let intro = lost.length ? `No launch arguments are recorded of ${enumerate(lost)}, so they cannot be compared there.` : args ? `${plural(args, "launch argument has", "launch arguments have")} another effective value.` : "No launch argument has another effective value.";
    if (lost.length && args) intro += ` ${plural(args, "launch argument has", "launch arguments have")} another effective value.`;
    if (d.oneVersion.length) intro += ` ${plural(d.oneVersion.length, "argument is", "arguments are")} known to some of the versions only.`;
    intro += ` ${plural(d.same.length, "value is", "values are")} equal. `;
    const s = section("parameters", "Parameters", para(intro, link(methodology("parameter-diff"), "What counts as a difference")));
    s.append(d.differs.length ? diffTable(cs, "Parameters that differ", d.differs) : para("Nothing that is recorded of two of them differs."));
    const folded: [string, parameters.Line[]][] = [
      [plural(d.oneVersion.length, "argument") + " of some versions only", d.oneVersion],
      [plural(d.unclear.length, "value that cannot be compared", "values that cannot be compared"), d.unclear],
      [plural(d.same.length, "equal value"), d.same],
    ];
    const box = el("div", { class: "datas" });
    for (const [summary, lines] of folded) {
      if (lines.length === 0) continue;
      const det = el("details", {}, el("summary", {}, summary));
      // Long tables are made when they are opened.
      det.addEventListener("toggle", () => {
        if (det.children.length > 1) return;
        det.append(diffTable(cs, summary, lines, "pdiff compact"));
        copying.enhance(det);
      });
      box.append(det);
    }
    s.append(box);
    return s;
  }

  // notComparable are the workloads that not all of the runs have, with what differs.
  function notComparable(cs: Chosen[], gs: Group[]): HTMLElement | undefined {
    const partial = gs.filter((g) => g.n < cs.length);
    if (partial.length === 0) return undefined;
    const shown = partial.slice(0, 40);
    const rows = shown.map((g) => [
      { content: [g.title], sub: g.n > 1 ? `compared among ${g.n}` : "not compared" },
      ...cs.map((c, i): Cell => {
        if (g.of[i]) return plain("measured");
        const n = nearest(g.of.find((w) => w)!, c.run);
        if (!n) return said("no measured points");
        return { content: [n[1].length ? n[1].join("; ") : "measured once only"], class: "wrap-any", sub: "nearest: " + n[0].title };
      }),
    ]);
    const intro = `${plural(partial.length, "workload was", "workloads were")} not measured by all of the runs${partial.length > shown.length ? `; the first ${shown.length}` : ""}. Where one lacks it, the nearest that it has and what differs, the value of the workload first. Only equal workloads share an axis. `;
    const t = table("Workloads that are not compared between all runs", "Workload", cs.map((c) => headOf(c)), rows);
    return section("not", "Not comparable", para(intro, link(methodology("workload-class"), "When workloads are equal")), rows.length > 6 ? el("details", { class: "data" }, el("summary", {}, plural(rows.length, "workload")), t) : t);
  }

  // The page ----------------------------------------------------------------------------------

  let app: HTMLElement, chosenList: HTMLElement, result: HTMLElement, offers: HTMLElement, status: HTMLElement;
  let refreshOptions: () => void = () => {};

  function mainGroup(gs: Group[]): Group | undefined {
    const can = gs.filter((g) => g.n > 1 && shared(g).length > 0);
    // The one that most runs share, then the one that cards are compared by, then the one with most loads.
    const weight = (g: Group) => g.n * 1e6 + (g.of.some((w) => w?.main) ? 1e5 : 0) + full(g);
    return can.find((g) => g.key === state.workload) ?? can.reduce<Group | undefined>((a, b) => (!a || weight(b) > weight(a) ? b : a), undefined);
  }

  // mainLoad is the load that is shown side by side: the chosen one, else where the best throughput is.
  function mainLoad(g: Group): number {
    const loads = shared(g);
    const own = loads.find((l) => loadText(l) === state.load);
    if (own !== undefined) return own;
    const all = loads.filter((l) => g.of.every((w) => !w || w.loads.some((x) => number(x) === l)));
    let best = (all.length ? all : loads)[0], top = -Infinity;
    for (const l of all.length ? all : loads) {
      for (const w of g.of) {
        const m = at(w, "output_throughput", "value", l) ?? at(w, "total_throughput", "value", l) ?? at(w, "request_throughput", "value", l);
        if (m !== undefined && middle(m) > top) [best, top] = [l, middle(m)];
      }
    }
    return best;
  }

  // showGroup shows one workload of the runs that measured it: side by side at one load, and overlaid.
  function showGroup(cs: Chosen[], g: Group, gs: Group[], n: number, lack: string[]): void {
    const load = mainLoad(g), loads = shared(g);
    const can = gs.filter((o) => o.n > 1 && shared(o).length > 0);
    const controls = el("div", { class: "cpicks" });
    const again = (focus: string, change: Partial<State>) => {
      Object.assign(state, change);
      keep(false);
      show(() => result.querySelector<HTMLElement>(`.cpick:nth-child(${focus}) select`) ?? result.querySelector<HTMLElement>(".cpick select"));
    };
    if (can.length > 1) controls.append(selection("Workload", can.map((o) => [o.key, `${o.title} (${o.n} of ${n} runs, ${plural(shared(o).length, "load")})`]), g.key, (v) => again("1", { workload: v, load: "" })));
    if (loads.length > 1) controls.append(selection(sentence(axisWords[g.axis] ?? "load"), loads.map((l) => [loadText(l), loadText(l)]), loadText(load), (v) => again(can.length > 1 ? "2" : "1", { load: v })));
    result.append(section("side", "Side by side", para(`Workload ${g.title} ${atLoad(g, load)}. Below each number its difference to ${cs[0].name}; bold is best. Numbers lead to their rows, where file and line stand. ${repeated(g)}` + (lack.length ? ` ${enumerate(lack)} did not measure this workload.` : "")), controls, sideBySide(cs, g, load)));
    const figs: HTMLElement[] = [];
    const user = userFigure(cs, g);
    for (const r of rowsOf(g, loads)) {
      const f = metricFigure(cs, g, r);
      if (f) figs.push(f);
    }
    if (user) figs.splice(Math.min(3, figs.length), 0, user);
    if (figs.length) {
      const s = section("charts", `Overlaid, ${g.title}`);
      for (let i = 0; i < figs.length; i += 2) s.append(i + 1 < figs.length ? el("div", { class: "pair" }, figs[i], figs[i + 1]) : figs[i]);
      result.append(s);
    }
  }

  function showResult(cs: Chosen[]): void {
    drawings = [];
    result.replaceChildren();
    if (cs.length < 2) return;
    const gs = groups(cs.map((c) => c.run));
    const main = mainGroup(gs);
    const what = common(cs.map((c) => c.run));
    const ws = warnings(cs, gs, main);
    result.append(section("runs", what ? what + ": " + plural(cs.length, "run") : plural(cs.length, "run") + " side by side", runsTable(cs, gs)));
    if (ws.length) result.append(section("know", "Read before you quote", says(ws)));
    const whole = figuresTable(cs);
    if (main) {
      // Those that measured the workload, by the shortest names that tell them apart.
      const lack = cs.filter((_, i) => !main.of[i]).map((c) => c.name);
      const members = cs.filter((_, i) => main.of[i]);
      const short = names(members.map((c) => c.run));
      showGroup(members.map((c, i) => ({ ...c, name: short[i] })), { ...main, of: main.of.filter((w) => w) }, gs, cs.length, lack);
    } else if (!whole) {
      result.append(section("side", "Side by side", para("No two of these runs share a workload and a load of it, so none of their numbers stand side by side.")));
    }
    if (whole) result.append(section("figures", "Figures of the whole runs", whole));
    result.append(parameterSection(cs));
    const not = notComparable(cs, gs);
    if (not) result.append(not);
    copying.enhance(result);
    paint();
  }

  const entry = (id: string) => list?.runs.find((r) => r[0] === id);

  // rowWords are a row of the list in words: what it is, and what tells it apart.
  function rowWords(r: List["runs"][number]): [string, string] {
    const name = where({ model: list!.models[r[1]]?.[0] ?? "", hardware: list!.hardware[r[2]]?.[0] ?? "" });
    return [name, [list!.engines[r[3]], r[4], r[5], r[0], r[7] ? "withdrawn" : ""].filter(Boolean).join(" · ")];
  }

  // keep puts the state into the address: another choice of runs is a step in the history, another view of
  // them is none.
  function keep(step: boolean): void {
    const to = written(state) || location.pathname + location.search;
    if (location.hash !== written(state)) history[step ? "pushState" : "replaceState"](null, "", to);
  }

  function chooseRuns(ids: string[], focus?: () => HTMLElement | null | undefined): void {
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
    if (!compares) return ul.replaceChildren(...pairs);
    ul.replaceChildren(...dom.all("#compare-app section").map((s) => el("li", {}, link("#" + s.id, s.querySelector("h2")?.textContent ?? ""))));
  }

  let turn = 0;

  // show brings the page to what the state says.
  function show(focus?: () => HTMLElement | null | undefined): void {
    const mine = ++turn;
    const known = state.ids.filter((id) => safe(id) && (entry(id) || (list?.more ?? 0) > 0));
    const draw = () => {
      if (mine !== turn) return;
      const missing = state.ids.filter((id) => !runs.has(id));
      const cs = state.ids.filter((id) => runs.has(id)).map((id) => ({ run: runs.get(id)!, name: "", slot: 0 }));
      const ns = names(cs.map((c) => c.run));
      cs.forEach((c, i) => {
        c.name = cs.length > 1 ? ns[i] : where(c.run);
        c.slot = i + 1;
      });
      chosenList.replaceChildren();
      state.ids.forEach((id) => {
        const c = cs.find((x) => x.run.id === id), row = entry(id);
        const li = el("li");
        if (c) li.append(plotting.mark(c.slot), link(runPage(c.run), c.name), el("span", { class: "sub" }, [where(c.run) === c.name ? "" : where(c.run), c.run.engine, c.run.series, when(c.run.started), c.run.id].filter(Boolean).join(" · ")));
        else li.append(el("b", {}, row ? rowWords(row)[0] : `There is no run ${id.slice(0, 40)}`), el("span", { class: "sub" }, row ? "it did not load" : "the address may be of another site, or the run has been taken out"));
        const name = c?.name ?? id.slice(0, 40);
        const tools = el("span", { class: "ctools" });
        if (cs[0] === c && cs.length > 1) tools.append(el("span", { class: "mut" }, "baseline"));
        else if (c && cs.length > 1) tools.append(button("Make baseline", () => chooseRuns([id, ...state.ids.filter((o) => o !== id)], () => chosenList.querySelector("button")), { class: "act", "aria-label": "Make baseline: " + name }));
        tools.append(button("Remove", () => chooseRuns(state.ids.filter((o) => o !== id), () => chosenList.querySelector("button") ?? app.querySelector("input")), { class: "act", "aria-label": "Remove " + name }));
        li.append(tools);
        chosenList.append(li);
      });
      offer(cs.map((c) => c.run));
      showResult(cs);
      const text = cs.length > 1 ? `Comparing ${enumerate(ns)}` : cs.length === 1 ? "One run is chosen; choose another to compare" : "";
      if (text) say(text + (missing.length ? `. Not found: ${missing.map((m) => m.slice(0, 40)).join(", ")}` : ""));
      document.documentElement.classList.toggle("comparing", cs.length > 1);
      toc(cs.length > 1);
      refreshOptions();
      focus?.()?.focus();
    };
    status.textContent = known.some((id) => !runs.has(id)) ? "Loading…" : "";
    Promise.all(known.map(loadRun)).then(() => {
      status.textContent = "";
      draw();
    });
  }

  // fits are the classes of the chosen runs, to tell which others share one.
  function classes(): Set<number> {
    return new Set(state.ids.flatMap((id) => entry(id)?.[6] ?? []));
  }

  // offer lists the nearest runs to compare with: those of the same workload, model and hardware.
  function offer(cs: Run[]): void {
    offers.replaceChildren();
    if (!list || state.ids.length >= most) return;
    const chosen = state.ids.map(entry).filter((r) => r !== undefined);
    if (chosen.length === 0) return;
    const have = classes();
    const score = (r: List["runs"][number]): number => {
      const n = r[6].filter((c) => have.has(c)).length;
      if (n === 0 || r[7]) return 0;
      return n + (chosen.some((c) => c[1] === r[1]) ? 1000 : 0) + (chosen.some((c) => c[2] === r[2]) ? 500 : 0);
    };
    const near = list.runs.map((r, i) => ({ r, i, s: state.ids.includes(r[0]) ? 0 : score(r) })).filter((x) => x.s > 0).sort((a, b) => b.s - a.s || a.i - b.i).slice(0, cs.length > 1 ? 4 : 8);
    if (near.length === 0) {
      if (cs.length === 1) offers.append(el("p", { class: "mut" }, "No other run of this catalog shares a workload with it; another one can still be chosen for its parameters."));
      return;
    }
    offers.append(el("p", { id: "offers-h", class: "skind" }, "Runs that share a workload"));
    const ul = el("ul", { class: "coffers", "aria-labelledby": "offers-h" });
    for (const { r } of near) {
      const [name, note] = rowWords(r);
      ul.append(el("li", {}, button(name, () => chooseRuns([...state.ids, r[0]], () => offers.querySelector("button") ?? app.querySelector("input")), { class: "act" }), el("span", { class: "mut" }, " " + note)));
    }
    offers.append(ul);
  }

  // chooser is the search for runs: a combobox, as the search of the header is one.
  function chooser(): HTMLElement {
    const input = el("input", { type: "search", id: "compare-find", class: "cfind", autocomplete: "off", spellcheck: "false", placeholder: "Model, hardware, engine, date or id" });
    const listbox = el("div", { role: "listbox", id: "compare-options", "aria-label": "Runs" });
    const info = el("p", { class: "sinfo" });
    const popup = el("div", { class: "spop cpop", hidden: true }, listbox, el("div", { class: "sfoot" }, info));
    const box = el("div", { class: "cbox" }, el("label", { for: "compare-find" }, "Add a run"), el("span", { class: "cfield" }, input, popup));
    let texts: string[] | undefined;
    const take = (id: string) => {
      input.value = "";
      found.open(false);
      chooseRuns([...state.ids, id], () => (state.ids.length < most ? input : chosenList.querySelector("button")));
    };
    const search = () => {
      found.clear();
      if (!list) return void (info.textContent = "Loading the list of runs…");
      found.open(true);
      texts ??= list.runs.map((r) => searchable([list!.models[r[1]], list!.hardware[r[2]], list!.engines[r[3]], r[4], r[5], r[0]].flat().join(" ")));
      const wanted = matchers(input.value);
      const have = classes();
      const hits = list.runs.filter((r, i) => !state.ids.includes(r[0]) && wanted.every((w) => w.test(texts![i])));
      const share = hits.filter((r) => have.size > 0 && r[6].some((c) => have.has(c)));
      const rest = hits.filter((r) => !share.includes(r));
      const shown = 12;
      let left = hits.length;
      for (const [kind, rows] of [["Sharing a workload with what is chosen", share], [have.size > 0 ? "Other workloads: parameters only" : "Runs", rest]] as const) {
        const some = rows.slice(0, Math.max(0, shown - found.options.length));
        if (some.length === 0) continue;
        const group = el("div", { role: "group", "aria-label": kind }, el("p", { class: "skind", "aria-hidden": "true" }, kind));
        for (const r of some) {
          const [name, note] = rowWords(r);
          const o = el("div", { role: "option", id: "compare-option-" + found.options.length, "aria-selected": "false" }, name, " ", el("span", {}, note));
          o.addEventListener("click", () => take(r[0]));
          found.options.push(o);
          group.append(o);
          left--;
        }
        listbox.append(group);
      }
      info.textContent = found.options.length === 0 ? "No run has such words." : left > 0 ? `${count(left)} more: add a word` : "";
      if (list.more > 0) info.textContent += ` The oldest ${count(list.more)} runs are not listed; their pages lead here.`;
      say(found.options.length === 0 ? "no runs" : plural(found.options.length + left, "run"));
    };
    const found = combobox.make(box, input, popup, listbox, search);
    refreshOptions = () => {
      const all = state.ids.length >= most;
      input.disabled = all;
      input.placeholder = all ? "Six runs are chosen: remove one first" : "Model, hardware, engine, date or id";
      if (!popup.hidden) search();
    };
    return box;
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
    app.append(section("choose", "Choose two to six runs", chosenList, chooser(), status, offers), result);
    const api = (window.inferdex ??= {});
    api.runs = (l) => (list = l);
    api.run = (r) => runs.set(r.id, r);
    api.version = (v) => versions.set(v.name, v);
    if (!inPage()) state = parse(location.hash);
    // The list of pairs does not appear first and move away then.
    document.documentElement.classList.toggle("comparing", state.ids.length > 1);
    load("runs.js").then((ok) => {
      if (!ok) return void (status.textContent = "The list of runs did not load.");
      show();
    });
    window.addEventListener("hashchange", () => {
      if (inPage()) return state.ids.length ? history.replaceState(null, "", written(state)) : undefined;
      state = parse(location.hash);
      show();
    });
    let timer = 0;
    window.addEventListener("resize", () => {
      clearTimeout(timer);
      timer = window.setTimeout(paint, 120);
    });
  }

  start();
}
