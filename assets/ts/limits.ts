// Limits of the reader's own on the page of rankings: which hardware serves a model within them, and
// at what cost. What it ranks is in a file for each model, models/<slug>/limits.js (site/limits.go
// writes it), asked for when the model is chosen. It decides as figure.RankSLO does and draws loads as chart.Strip does. This script is
// one of its own, made of dom.ts, packed.ts, number.ts and this file, and loaded when the form is used (later.ts).

interface Inferdex {
  limits?(packed: string): void;
}

namespace limits {
  const { all, beside, el, say } = dom;
  const { count, enumerate, format } = numbers;

  type Num = number | null;

  interface Load {
    load: number | "inf";
    name: string;
    href: string;
    out: Num;
    tpj: Num;
    /** Where the watts of tpj come from. */
    basis?: string;
    /** The repetitions: completed, of these without output, sent, then TTFT and TPOT in the order of stats. */
    points: Num[][];
  }

  interface Row {
    card: string;
    name: string;
    engine: string;
    acc: string;
    short: string;
    count: number;
    /** By place in a point: what stands there for a statistic that is not recorded; "" for itself. */
    instead: string[];
    loads: Load[];
  }

  interface Price {
    hour: number;
    currency: string;
    note: string;
    address: string;
  }

  interface Workload {
    name: string;
    rows: Row[];
    untried: string[];
  }

  export interface Data {
    model: string;
    name: string;
    uses: Record<string, number>;
    workloads: Workload[];
    prices: Record<string, Price>;
  }

  const stats = ["p99", "p95", "p90", "p75", "median", "mean"];
  const thin = "\u202f";

  // seconds writes one time, as figure.Seconds does.
  const seconds = (s: number): string =>
    s < 0.001 ? format(s * 1e6) + thin + "µs" : s < 1 ? format(s * 1e3) + thin + "ms" : format(s) + thin + "s";

  // beyond writes a time over a limit with as many digits as it needs to differ from a limit, as figure.SecondsBeside does.
  const beyond = (s: number, limit: number): string => {
    if (format(s) !== format(limit)) return seconds(s);
    for (let decimals = 1; ; decimals++) {
      const text = (s * 1e3).toFixed(decimals);
      if (decimals === 12 || Number(text) !== Number((limit * 1e3).toPrecision(12))) return text + thin + "ms";
    }
  };

  interface Limit {
    name: string;
    /** The place of the statistic in a point. */
    at: number;
    stat: string;
    max: number;
  }

  interface Limits {
    times: Limit[];
    /** A share; undefined is no limit. */
    errors?: number;
  }

  // outcome says what became of requests as figure.Outcome does.
  const outcome = (done: number, none: number, sent: number, completed = ""): string =>
    `${count(done)} of ${count(sent)}${completed}` + (none > 0 ? `, ${count(none)} without output` : "");

  /** check is what a point breaks: "" nothing, else the reason and whether it is sure. */
  function check(p: Num[], l: Limits, instead: string[]): { why: string; fails: boolean } {
    let missing = "";
    for (const t of l.times) {
      const v = p[t.at];
      if (v === null) missing ||= `${t.name} ${t.stat} is not known`;
      else if (v > t.max) return { why: `${t.name} ${instead[t.at] || t.stat} is ${beyond(v, t.max)}`, fails: true };
    }
    if (l.errors !== undefined) {
      const [done, none, sent] = p;
      if (done === null || none === null || sent === null) missing ||= "failures are not known";
      else if (1 - (done - none) / sent > l.errors + 1e-12)
        return { why: outcome(done, none, sent, " requests completed"), fails: true };
    }
    return { why: missing, fails: false };
  }

  interface Ranked {
    row: Row;
    /** The load that yields most of those that keep the limits. */
    best?: Load;
    /** The highest load that keeps them. */
    upTo?: Load;
    /** Without one: what is broken at the smallest load, or not measured. */
    why: string;
    fails: boolean;
    each: number;
    cost?: { perMillion: number; tokens: number; price: Price };
  }

  /** hold finds the load of a row that yields most of those of which every repetition keeps the limits. */
  function hold(row: Row, l: Limits): Ranked {
    const r: Ranked = { row, why: "", fails: true, each: -1 };
    let unclear = "";
    for (const load of row.loads) {
      const broken = load.points.map((p) => check(p, l, row.instead)).filter((c) => c.why);
      const sure = broken.find((c) => c.fails);
      if (broken.length === 0) {
        r.upTo = load;
        const most = r.best?.out ?? null;
        if (most === null || (load.out !== null && load.out > most)) r.best = load;
      } else if (sure) r.why ||= sure.why;
      else unclear ||= broken[0].why;
    }
    if (r.best) r.each = r.best.out !== null && row.count > 0 ? r.best.out / row.count : -1;
    else if (unclear) [r.why, r.fails] = [unclear, false];
    return r;
  }

  /** State is what a limit comes to at a load: the words of a strip, in their order. */
  const words = ["kept", "broken", "not judged", "not run"] as const;
  type State = (typeof words)[number];

  /** state is that of some limits at a load of a row: broken where one repetition surely breaks one of them. */
  function state(load: Load | undefined, l: Limits, row: Row): State {
    if (!load) return "not run";
    const broken = load.points.map((p) => check(p, l, row.instead)).filter((c) => c.why);
    return broken.length === 0 ? "kept" : broken.some((c) => c.fails) ? "broken" : "not judged";
  }

  /** Strips are the columns and the lanes that the strips of all rows share: loads, and limits one by one. */
  interface Strips {
    loads: (number | "inf")[];
    lanes: [name: (row: Row) => string, of: Limits][];
  }

  const mostLoads = 50; // as chart.MostStripLoads

  function strips(l: Limits, rows: Row[]): Strips {
    const all = new Set(rows.flatMap((r) => r.loads.map((x) => x.load)));
    const loads = [...all].sort((a, b) => (a === "inf" ? 1 : b === "inf" ? -1 : a - b));
    const lanes: Strips["lanes"] = l.times.map((t) => [
      (r) => t.name + " " + (r.instead[t.at] || t.stat),
      { times: [t] },
    ]);
    const failed: Limits = { times: [], errors: l.errors };
    if (l.errors !== undefined && (lanes.length === 0 || rows.some((r) => r.loads.some((x) => state(x, failed, r) !== "kept"))))
      lanes.push([() => "failed requests", failed]);
    return { loads: loads.length > mostLoads ? [] : loads, lanes };
  }

  const svg = (name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const k in attributes) e.setAttribute(k, String(attributes[k]));
    e.append(...children);
    return e;
  };

  /** strip draws which limits a row keeps at which loads as chart.Strip does, of the same measures. */
  function strip({ loads, lanes }: Strips, row: Row, best: Load): Node | string {
    const n = loads.length;
    if (n === 0 || lanes.length === 0) return "";
    const wide = Math.min(12, Math.floor(200 / n)),
      high = 8 * lanes.length;
    const paths: Record<State, string> = { kept: "", broken: "", "not judged": "", "not run": "" };
    const label = lanes.map(([name, of], lane) => {
      const at: Record<State, string[]> = { kept: [], broken: [], "not judged": [], "not run": [] };
      loads.forEach((load, i) => {
        const is = state(row.loads.find((x) => x.load === load), of, row);
        at[is].push(String(load));
        const x = 2 + i * wide,
          y = 2 + 8 * lane,
          w = wide - 1;
        paths[is] +=
          is === "not run"
            ? `M${x + w / 2 - 1} ${y + 2.5}h2v2h-2z`
            : `M${x} ${y}h${w}v7h${-w}z` + (is === "broken" ? `m0 7l${w}-7` : "");
      });
      const said = words.filter((k) => at[k].length > 0).map((k) => `${k} at ${enumerate(at[k])}`);
      return `${name(row)} ${said.join(", ")}`;
    });
    const answer = loads.indexOf(best.load);
    const over = loads.findIndex((load) => lanes.some(([, of]) => state(row.loads.find((x) => x.load === load), of, row) === "broken"));
    const texts: [from: number, to: number, node: Node][] = [];
    for (const i of [answer, over, 0, n - 1]) {
      if (i < 0) continue;
      const text = String(loads[i]),
        half = 3.5 * text.length;
      const x = Math.max(half, Math.min(2 + i * wide + wide / 2, 4 + n * wide - half));
      if (texts.every(([from, to]) => x + half + 4 < from || x - half - 4 > to))
        texts.push([x - half, x + half, svg("text", { class: i === answer ? "ra m" : "rt m", x, y: high + 13 }, text)]);
    }
    const classes: [State, string][] = [["kept", "fillb"], ["broken", "bl"], ["not judged", "ud"], ["not run", "bn"]];
    return svg(
      "svg",
      { class: "bar strip", viewBox: `0 0 ${n * wide + 4} ${high + 16}`, width: n * wide + 4, height: high + 16, role: "img", "aria-label": label.join("; ") },
      svg(
        "g",
        { class: "s1" },
        ...classes.filter(([k]) => paths[k]).map(([k, c]) => svg("path", { class: c, d: paths[k] })),
        svg("path", { class: "wh", d: `M${answer * wide + 0.5} .5h${wide + 2}v${high + 1}h${-wide - 2}z` }),
        ...texts.map(([, , node]) => node),
      ),
    );
  }

  /** priced is the cost of a row: at the reader's price, else at the cheapest that is stated. */
  function priced(r: Ranked, stated: Price | undefined, typed: number | undefined): Ranked["cost"] {
    const out = r.best?.out;
    if (!out || r.row.count < 1) return undefined;
    const currency = stated?.currency ?? "";
    const price = typed
      ? { hour: typed, currency, note: `at ${typed}${thin}${currency} an hour, your price`, address: "" }
      : stated;
    if (!price || !(price.hour > 0)) return undefined;
    const hour = r.row.count * price.hour;
    return { perMillion: (1e6 * hour) / (3600 * out), tokens: (3600 * out) / hour, price };
  }

  // short is a workload in an address: "1024-128", which survives being pasted anywhere.
  const short = (name: string): string =>
    name.replace(/\u202f/g, "").toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-+|-+$/g, "");

  const loaded = new Map<string, (d: Data) => void>();

  function start(box: HTMLElement): void {
    const field = <E extends HTMLElement = HTMLInputElement>(name: string): E =>
      box.querySelector<E>(`[name="${name}"]`)!;
    const [model, workload, by] = ["model", "workload", "by"].map((n) => field<HTMLSelectElement>(n));
    const result = box.querySelector(".result")!,
      prices = box.querySelector(".prices")!;
    const uses = all<HTMLButtonElement>("[data-use]", box);
    const names = ["ttft", "tpot"];
    let data: Data | undefined;
    let typed: Record<string, string> = {};
    let wanted = ""; // a workload that the address names, until the model's are known
    let written: string | undefined;

    const number = (text: string): number | undefined =>
      text.trim() !== "" && Number(text) >= 0 ? Number(text) : undefined;
    /** What is wrong with what a field holds: not a number, or out of its range; "" nothing. */
    const wrong = (f: HTMLInputElement): string => {
      const shares = f.name === "errors"; // of which none is a limit too; a time or a price of nothing is none
      const { badInput, rangeUnderflow, rangeOverflow } = f.validity;
      return badInput || rangeUnderflow || rangeOverflow || (!shares && f.value !== "" && Number(f.value) === 0)
        ? shares
          ? "a number from 0 to 100"
          : "a number above 0"
        : "";
    };
    const entered = (name: string): number | undefined =>
      wrong(field(name)) ? undefined : number(field(name).value);
    const limit = (name: string): string =>
      entered(name) ? field(name + "-stat").value + ":" + field(name).value : "";
    const set = (name: string, text: string): void => {
      const [stat, max] = text.split(":");
      if (stats.includes(stat)) field(name + "-stat").value = stat;
      field(name).value = max ?? "";
    };
    const used = (): HTMLButtonElement | undefined =>
      uses.find(
        (b) =>
          names.every((n) => (b.dataset[n] ?? "") === limit(n)) &&
          number(b.dataset.errors ?? "") === entered("errors"),
      );

    function read(): boolean {
      const p = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : location.search);
      const asked = p.get("m") ?? p.get("model"); // once it had longer names
      if (asked === null) return false;
      if ([...p].length > 1) {
        for (const n of names) set(n, p.get(n) ?? "");
        field("errors").value = p.get("errors") ?? "";
        by.value = p.get("by") ?? "each";
        if (by.selectedIndex < 0) by.selectedIndex = 0;
        typed = Object.fromEntries(
          (p.get("prices") ?? "")
            .split(",")
            .map((s) => s.split(":"))
            .filter((s) => s.length === 2),
        );
        wanted = p.get("w") ?? p.get("workload") ?? "";
      }
      model.value = asked;
      return model.value !== "";
    }

    function write(): void {
      if (!data) return;
      const p: [string, string][] = [
        ["m", data.model],
        ["w", short(workload.selectedOptions[0]?.textContent ?? "")],
      ];
      for (const n of names) p.push([n, limit(n)]);
      p.push(["errors", field("errors").value], ["by", by.value === "each" ? "" : by.value]);
      p.push([
        "prices",
        Object.entries(typed)
          .filter(([, v]) => number(v))
          .map((e) => e.join(":"))
          .join(","),
      ]);
      written = p
        .filter(([, v]) => v)
        .map(([k, v]) => k + "=" + encodeURIComponent(v).replace(/%3A/g, ":").replace(/%2C/g, ","))
        .join("&");
      try {
        history.replaceState(null, "", location.pathname + "?" + written + "#own");
      } catch {
        history.replaceState(null, "", "#" + written); // a page from a file may change no more than this
      }
    }

    function load(): void {
      const slug = model.value;
      data = undefined;
      result.textContent = prices.textContent = "";
      workload.disabled = true;
      if (!slug) return;
      result.textContent = "Loading…";
      loaded.set(slug, (d) => {
        if (model.value !== slug) return;
        data = d;
        workload.replaceChildren(...d.workloads.map((w, i) => el("option", { value: String(i) }, w.name)));
        workload.disabled = false;
        const named = d.workloads.findIndex((w) => wanted !== "" && short(w.name) === short(wanted));
        workload.value = String(named >= 0 ? named : (d.uses[used()?.dataset.use ?? ""] ?? 0));
        wanted = "";
        ask();
        draw();
      });
      const s = el("script", { src: beside(`../models/${slug}/limits.js`) });
      s.onerror = () => (result.textContent = "The measurements did not load.");
      s.onload = () => s.remove();
      document.head.append(s);
    }

    // ask makes a field of a price for each accelerator of the workload.
    function ask(): void {
      const seen = new Map<string, string>();
      for (const r of data!.workloads[Number(workload.value)].rows) if (r.count > 0) seen.set(r.acc, r.short);
      prices.replaceChildren();
      for (const [acc, name] of seen) {
        const stated = data!.prices[acc];
        const input = el("input", {
          type: "number",
          name: "price-" + acc,
          min: "0",
          step: "any",
          placeholder: stated ? String(stated.hour) : "no price",
        });
        input.value = typed[acc] ?? "";
        for (const e of ["input", "change"])
          input.addEventListener(e, () => {
            typed[acc] = input.value;
            draw();
          });
        prices.append(
          el(
            "label",
            {},
            el("span", {}, `An hour of one ${name}`),
            el("div", {}, input, " " + (stated?.currency ?? "")),
          ),
        );
      }
    }

    const limits = (): Limits => {
      const times = names.flatMap((n, i) => {
        const max = entered(n),
          stat = field(n + "-stat").value;
        return max
          ? [{ name: n.toUpperCase(), at: 3 + i * stats.length + stats.indexOf(stat), stat, max: max / 1000 }]
          : [];
      });
      const errors = entered("errors");
      return { times, errors: errors === undefined ? undefined : errors / 100 };
    };

    function draw(): void {
      const now = used();
      for (const b of uses) b.setAttribute("aria-pressed", String(b === now));
      const bad = refused();
      if (!data) {
        if (!model.value) result.textContent = bad;
        return;
      }
      const d = data,
        w = d.workloads[Number(workload.value)],
        l = limits();
      const rows = w.rows.map((r) => hold(r, l));
      for (const r of rows) r.cost = priced(r, d.prices[r.row.acc], number(typed[r.row.acc] ?? ""));
      let passes = rows.filter((r) => r.best);
      const currencies = [...new Set(passes.flatMap((r) => (r.cost ? [r.cost.price.currency] : [])))];
      const key: Record<string, (r: Ranked) => number> = {
        each: (r) => r.each,
        all: (r) => r.best!.out ?? -1,
        cost: (r) => (r.cost ? -r.cost.perMillion : -Infinity),
        energy: (r) => r.best!.tpj ?? -1,
      };
      // Costs of one currency stand together. What lacks the number that decides stands behind.
      const group = (r: Ranked): number =>
        by.value === "cost"
          ? r.cost
            ? currencies.indexOf(r.cost.price.currency)
            : currencies.length
          : Number(by.value === "energy" ? r.best!.tpj === null : by.value === "all" ? r.best!.out === null : r.each < 0);
      const order =
        (...ks: ((r: Ranked) => number)[]) =>
        (a: Ranked, b: Ranked): number => {
          for (const k of ks) {
            const x = k(a),
              y = k(b);
            if (x !== y) return y - x;
          }
          return a.row.card < b.row.card ? -1 : 1;
        };
      const height = (r: Ranked) => (r.best!.load === "inf" ? Number.MAX_VALUE : r.best!.load);
      const nearly = (r: Ranked): number => (l.times.some((t) => r.row.instead[t.at]) ? 1 : 0);
      passes.sort(order((r) => -group(r), (r) => -nearly(r), key[by.value] ?? key.each, key.each, key.all, height));

      // Of the results of a card the best speaks for it, as figure.RankSLO has it.
      const spoken = new Set<string>();
      const speaks = (r: Ranked): boolean => !spoken.has(r.row.card) && !!spoken.add(r.row.card);
      passes = passes.filter(speaks);
      const failing = rows.filter((r) => !r.best && r.fails).filter(speaks),
        unknown = rows.filter((r) => !r.best && !r.fails).filter(speaks);
      const all = spoken.size + w.untried.length;
      let says = answer(l, by.value, passes, failing, all) + unplaced(by.value, passes) + bad;
      if (by.value === "cost" && currencies.length > 1)
        says += " Costs in different currencies are not compared: each is ranked by itself.";
      const bases = new Set(passes.flatMap((r) => (r.best!.tpj !== null ? [r.best!.basis ?? ""] : [])));
      if (by.value === "energy" && bases.size > 1)
        says += " Some power was measured and some is what boards are specified for: the two do not compare.";
      result.replaceChildren(el("p", { class: "find" }, says));
      const drawn = strips(l, [...passes, ...failing, ...unknown].map((r) => r.row));
      if (passes.length > 0) result.append(table(d, w, l, passes, drawn));
      if (passes.length > 0 && drawn.lanes.length > 0 && drawn.loads.length > 0)
        result.append(
          el("p", { class: "mut" }, "Measured loads: filled is kept, crossed broken, dotted not judged, a dot not run; the best load is outlined."),
        );
      const list: (Node | string)[][] = failing.map((r) => [
        link(r.row),
        `: over a limit at every load; ${r.why} ${atLoad(r.row.loads[0])}, the smallest.`,
      ]);
      for (const r of unknown) list.push([link(r.row), `: not judged: ${r.why}.`]);
      for (const n of w.untried) list.push([n]);
      if (list.length > 0) result.append(el("ul", { class: "list" }, ...list.map((parts) => el("li", {}, ...parts))));
      say(says);
      write();
    }

    // most is how many names a sentence has.
    const most = 4;

    const listed = (names: string[]): string =>
      names.length > most
        ? `${names.slice(0, most).join(", ")} and ${names.length - most} more`
        : enumerate(names);
    const named = (r: Ranked): string => r.row.name + (r.row.engine ? ` (${r.row.engine})` : "");

    /** unplaced says which hardware has no place by cost or energy, why, and how it is ordered then. */
    function unplaced(by: string, passes: Ranked[]): string {
      const lacks: Record<string, (r: Ranked) => string> = {
        cost: (r) =>
          r.cost
            ? ""
            : !r.best!.out
              ? "throughput is not known"
              : r.row.count < 1
                ? "the number of accelerators is not recorded"
                : "no price is stated or typed",
        energy: (r) => (r.best!.tpj !== null ? "" : r.best!.out ? "no power is known" : "throughput is not known"),
      };
      const why = lacks[by];
      if (!why) return "";
      const reasons = new Map<string, string[]>();
      for (const r of passes) if (why(r)) reasons.set(why(r), [...(reasons.get(why(r)) ?? []), named(r)]);
      const without = [...reasons.values()].reduce((n, names) => n + names.length, 0);
      if (without === 0) return "";
      const of = by === "cost" ? "cost" : "energy";
      const because = [...reasons].map(([reason, names]) => `${reason} for ${listed(names)}`).join("; ");
      return without === passes.length
        ? ` Nothing is ranked by ${of}: ${because}. The order is that of throughput per accelerator.`
        : ` Not ranked by ${of}, and behind the others: ${because}.`;
    }

    /** refused says which fields hold what cannot be a limit or a price. */
    function refused(): string {
      let says = "";
      for (const f of all<HTMLInputElement>("input[type=number]", box)) {
        const must = wrong(f);
        f.setAttribute("aria-invalid", String(must !== ""));
        const name = f.getAttribute("aria-label") ?? f.closest("label")?.querySelector("span")?.textContent;
        if (must) says += ` What stands under "${name}" is not used: it must be ${must}.`;
      }
      return says;
    }

    const atLoad = (l: Load): string => (l.load === "inf" ? "with all requests at once" : `at ${l.name}`);
    const upToLoad = (l: Load): string => (l.load === "inf" ? "with all at once" : `up to ${l.name}`);

    /** answer says in a sentence which hardware to take, and how far the others keep the limits. */
    function answer(l: Limits, by: string, passes: Ranked[], failing: Ranked[], all: number): string {
      const none = failing.length > 0 ? `${listed(failing.map(named))} at no load measured` : "";
      const best = passes[0];
      if (!best)
        return failing.length > 0
          ? `No hardware keeps these limits: ${none}.`
          : "No hardware can be judged by these limits.";
      const load = best.best!,
        last = best.row.loads[best.row.loads.length - 1] === load;
      const rate =
        best.each > 0
          ? `${format(best.each)} tok/s per accelerator`
          : load.out !== null
            ? `${format(load.out)} tok/s`
            : "throughput not known";
      let text = `${named(best)} serves the most within these limits: ${rate}`;
      if (by === "all" && load.out !== null) text = `${named(best)} serves the most in all: ${format(load.out)} tok/s`;
      if (by === "cost" && best.cost)
        text =
          `${named(best)} costs least: ${format(best.cost.perMillion)} ${best.cost.price.currency} ` +
          "for 10⁶ output tokens";
      if (by === "energy" && load.tpj !== null)
        text = `${named(best)} needs least energy: ${format(load.tpj)} output tokens per joule`;
      text += ` ${atLoad(load)}${last ? ", the highest load measured" : ""}.`;
      const instead = best.row.instead;
      const nearly = l.times.filter((t) => instead[t.at]).map((t) => `${t.name} by its ${instead[t.at]}`);
      if (nearly.length > 0) text += ` Judged: ${nearly.join(", ")}, since no other is recorded.`;
      const rest = passes.slice(1).map((r) => `${named(r)} ${upToLoad(r.upTo!)}`);
      const others = [rest.length > 0 ? listed(rest) : "", none].filter(Boolean);
      if (others.length > 0) text += ` The limits are kept by ${others.join("; by ")}.`;
      return `${text} ${passes.length} of ${all} keep them.`;
    }

    const link = (r: Row): HTMLElement => el("a", { href: `../cards/${r.card}/index.html` }, r.name);

    function table(d: Data, w: Workload, l: Limits, list: Ranked[], drawn: Strips): HTMLElement {
      const best = Math.max(...list.map((r) => r.each));
      const anyCost = list.some((r) => r.cost),
        anyEnergy = list.some((r) => r.best!.tpj !== null);
      const head = (text: string, unit = "", n = true) =>
        el(
          "th",
          { scope: "col", class: n ? "n" : undefined },
          text,
          ...(unit ? [" ", el("span", { class: "u" }, unit)] : []),
        );
      const cell = (v: Num | undefined, sub: Node | string = "", bold = false, prefix = ""): HTMLElement => {
        if (v === null || v === undefined || v < 0)
          return el("td", { class: "n na" }, ...dom.missing("not known"));
        const c = el("td", { class: bold ? "n best" : "n", title: String(v) }, format(v) + prefix);
        if (sub) c.append(el("span", { class: "sub" }, sub));
        return c;
      };
      const columns = [
        el("th", { scope: "col", class: "n" }, el("span", { class: "vh" }, "Rank")),
        head("Hardware", "", false),
        head("Best load"),
        head("Per accelerator", "output tok/s"),
        head("Output", "tok/s"),
        ...l.times.map((t) => head(t.name + " " + t.stat, "ms")),
        ...(drawn.lanes.length > 0
          ? [head("Measured loads", drawn.lanes.map(([name]) => name(list[0].row)).join(", then "), false)]
          : []),
      ];
      if (anyEnergy) columns.push(head("Tokens per joule"));
      if (anyCost) columns.push(head("Cost", "of 10⁶ output tokens"), head("Output tokens", "for the money"));
      const body = list.map((r, i) => {
        const b = r.best!,
          p = b.points[0];
        const load = el("td", { class: "n nw" }, el("a", { href: b.href }, b.name));
        if (b === r.row.loads[r.row.loads.length - 1]) load.append(el("span", { class: "sub" }, "highest measured"));
        else if (r.upTo !== b) load.append(el("span", { class: "sub" }, `kept ${upToLoad(r.upTo!)}`));
        const [done, none, sent] = p;
        const failed = done !== null && none !== null && sent !== null && done - none < sent ? outcome(done, none, sent) : "";
        const cells = [
          el("td", { class: "n mut" }, String(i + 1)),
          el("th", { scope: "row" }, link(r.row), el("span", { class: "sub" }, r.row.engine)),
          load,
          cell(r.each, best > 0 && r.each > 0 ? Math.round((100 * r.each) / best) + thin + "%" : "", r.each === best),
          cell(b.out, failed),
          ...l.times.map((t) => cell(Number((1000 * p[t.at]!).toPrecision(12)), r.row.instead[t.at])), // as limits are typed
          ...(drawn.lanes.length > 0 ? [loads(r, l, drawn)] : []),
        ];
        if (anyEnergy) cells.push(cell(b.tpj, b.basis));
        if (anyCost) {
          const c = r.cost,
            of = c && thin + c.price.currency;
          const source = c?.price.address ? el("a", { href: c.price.address }, c.price.note) : c?.price.note;
          const money = cell(c?.perMillion, source, false, of);
          money.classList.add("priced");
          cells.push(money, cell(c?.tokens, c?.price.currency && "for 1" + of));
        }
        return el("tr", {}, ...cells);
      });
      return dom.table("tight", `${d.name}, ${w.name}, within the limits`, columns, body);
    }

    // loads is the strip of a row, and the first load over a limit in words.
    function loads(r: Ranked, l: Limits, drawn: Strips): HTMLElement {
      const cell = el("td", { class: "strips" }, strip(drawn, r.row, r.best!));
      for (const load of r.row.loads) {
        const broken = load.points.map((p) => check(p, l, r.row.instead)).find((c) => c.fails);
        if (!broken) continue;
        cell.title = "the first load over a limit";
        cell.append(el("a", { href: load.href }, `${load.name}: ${broken.why}`));
        break;
      }
      return cell;
    }

    model.addEventListener("change", load);
    workload.addEventListener("change", () => {
      if (!data) return;
      ask();
      draw();
    });
    by.addEventListener("change", draw);
    for (const n of [...names, ...names.map((n) => n + "-stat"), "errors"])
      for (const e of ["input", "change"]) field(n).addEventListener(e, draw);
    for (const b of uses) {
      b.addEventListener("click", () => {
        for (const n of names) set(n, b.dataset[n] ?? "");
        field("errors").value = b.dataset.errors ?? "";
        const i = data?.uses[b.dataset.use!];
        if (i !== undefined) workload.value = String(i);
        if (data) ask();
        draw();
      });
    }
    const again = (): void => {
      const at = location.hash.includes("=") ? location.hash.slice(1) : location.search.slice(1);
      if (at !== written && read()) {
        box.scrollIntoView();
        load();
      }
    };
    addEventListener("hashchange", again);
    draw();
    again();
    if (!data && model.value) load(); // chosen before this script was there
  }

  const box = document.getElementById("own-form");
  if (box) {
    // The index of the search box calls a function of the same object.
    (window.inferdex ??= {}).limits = (packed) => {
      packing.unpacked(packed).then((text) => {
        const d: Data = JSON.parse(text);
        loaded.get(d.model)?.(d);
      }).catch(() => (box.querySelector(".result")!.textContent = "The measurements did not load."));
    };
    start(box);
  }
}
