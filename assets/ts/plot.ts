// Charts drawn in the browser in the visual language of package site/chart: its classes, its axes and ticks and
// its marks, which the list of runs brings (chart.Ladder). Here they are chosen and placed. What a script needs
// for tooltips and walks is marked up alike, so charting works on both.

namespace plotting {
  export interface Spot {
    /** Infinity is a category of its own behind the axis. */
    x: number;
    y: number;
    /** The values as text; that of the horizontal axis where label is not it. */
    text: string;
    xText?: string;
    /** The load as text; a frontier has it beside the mark. */
    label: string;
    lo?: number;
    hi?: number;
    hollow?: boolean;
    /** What the tooltip adds. */
    note?: string;
  }

  export interface Line {
    name: string;
    slot: number;
    spots: Spot[];
  }

  export interface Axis {
    title: string;
    unit: string;
    pow2?: boolean;
  }

  export interface Plot {
    title: string;
    x: Axis;
    y: Axis;
    lines: Line[];
    /** Both axes from zero; points that another one of their line beats are grey. */
    frontier?: boolean;
  }

  /** What chart.Ladder writes: axes from zero, ticks of logarithmic ones, marks. */
  export interface Ladder {
    /** Where the axis ends, what its title adds, the labels of its ticks, which lie evenly. */
    linear: [number, string, ...string[]][];
    log: [number, string][];
    logAbove: number;
    /** By place: the path from its middle, a small one, the class. */
    marks: [string, string, string][];
  }

  /** The ladder that is drawn with, once it has come. */
  export const drawing: { by?: Ladder } = {};

  interface Tick {
    at: number;
    label: string;
  }

  interface Scale {
    /** The way along the axis, 0 to 1. */
    share(v: number): number;
    ticks: Tick[];
    minor: number[];
    /** What the title adds to its unit, and behind it. */
    times: string;
    note: string;
  }

  const svgElement = <K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Record<string, string | number>,
    text = "",
  ): SVGElementTagNameMap[K] => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const k in attributes) {
      const v = attributes[k];
      e.setAttribute(k, typeof v === "number" ? String(Math.round(v * 10) / 10) : v);
    }
    e.textContent = text;
    return e;
  };

  const pen = document.createElement("canvas").getContext("2d");
  function wide(text: string, size = 12, bold = false): number {
    if (!pen) return text.length * size * 0.6;
    pen.font = `${bold ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(text).width;
  }

  function cut(text: string, most: number): string {
    if (wide(text) <= most) return text;
    const signs = [...text];
    while (signs.length > 1 && wide(signs.join("") + "…") > most) signs.pop();
    return signs.join("") + "…";
  }

  // fromZero is the first axis from zero that reaches a value.
  function fromZero(top: number): Scale {
    const axes = drawing.by!.linear;
    const [end, times, ...labels] = axes.find((a) => a[0] >= top) ?? axes[axes.length - 1];
    const ticks = labels.map((label, i) => ({ at: (end * i) / (labels.length - 1), label }));
    return { share: (v) => v / end, ticks, minor: [], times, note: "" };
  }

  // logarithmic reaches from the last tick below some values to the first above; of very many, those of whole
  // decades have labels.
  function logarithmic(lo: number, hi: number): Scale {
    const all = drawing.by!.log;
    const from = Math.max(0, all.filter(([v]) => v <= lo).length - 1);
    const to = Math.min(all.length - 1, all.filter(([v]) => v < hi).length);
    const min = all[from][0];
    const steps = all.slice(from, to + 1);
    const whole = steps.length > 8;
    const ticks = steps.filter((_, i) => !whole || (from + i) % 3 === 0).map(([at, label]) => ({ at, label }));
    const share = (v: number) => Math.log(v / min) / Math.log(all[to][0] / min);
    return { share, ticks, minor: whole ? steps.map(([v]) => v) : [], times: "", note: " (log scale)" };
  }

  // byLoad has a tick at each load; powers of two lie evenly.
  function byLoad(spots: Spot[], pow2: boolean): Scale {
    const labels = new Map(spots.filter((s) => s.x !== Infinity).map((s) => [s.x, s.label]));
    const ticks = [...labels].map(([at, label]) => ({ at, label })).sort((a, b) => a.at - b.at);
    const by = pow2 && ticks.every((t) => t.at > 0) ? Math.log2 : (v: number) => v;
    const first = by(ticks[0]?.at ?? 0),
      span = by(ticks[ticks.length - 1]?.at ?? 0) - first;
    return { share: (v) => (span ? (by(v) - first) / span : 0.5), ticks, minor: [], times: "", note: "" };
  }

  const f = (v: number): string => v.toFixed(1);

  function marker(slot: number, x: number, y: number, kind = "", small = false): SVGElement {
    const marks = drawing.by!.marks;
    const own = marks[slot - 1] ?? marks[0];
    // Strokes cannot be grey or hollow.
    const [usual, less, mark] = own[2] !== "mk" && kind ? marks[0] : own;
    return svgElement("path", { class: (mark + " " + kind).trim(), d: `M${f(x)} ${f(y)}${small ? less : usual}` });
  }

  /** mark is the mark of a run, to stand before its name. */
  export function mark(slot: number): SVGSVGElement {
    const box = { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" };
    const s = svgElement("svg", { class: `mkr s${slot}`, ...box });
    s.append(marker(slot, 6, 6));
    return s;
  }

  /** key lists lines of plots by name. */
  export function key(lines: { name: string; slot: number }[]): HTMLElement {
    const box = { viewBox: "0 0 30 12", width: 30, height: 12, "aria-hidden": "true" };
    const entry = (l: { name: string; slot: number }) => {
      const s = svgElement("svg", { class: `sw s${l.slot}`, ...box });
      s.append(svgElement("path", { class: "ln", d: "M0 6h30" }), marker(l.slot, 15, 6));
      return dom.el("li", {}, s, dom.el("span", {}, l.name));
    };
    return dom.el("ul", { class: "key" }, ...lines.map(entry));
  }

  // beaten are the spots of a line that another of its spots beats on both axes.
  const beaten = (l: Line, s: Spot): boolean =>
    l.spots.some((o) => o !== s && o.x >= s.x && o.y >= s.y && (o.x > s.x || o.y > s.y));

  const ranged = (s: Spot): boolean => s.lo !== undefined && s.hi !== undefined && s.lo > 0 && s.lo < s.hi;

  function vertical(p: Plot, spots: Spot[]): Scale {
    const values = spots.flatMap((s) => (ranged(s) ? [s.y, s.lo!, s.hi!] : [s.y]));
    const lo = Math.min(...values),
      hi = Math.max(...values);
    return !p.frontier && lo > 0 && hi > drawing.by!.logAbove * lo ? logarithmic(lo, hi) : fromZero(hi || 1);
  }

  const heading = (a: Axis, s: Scale): string =>
    [a.title, [s.times, a.unit].filter(Boolean).join(" ")].filter(Boolean).join(", ") + s.note;

  // apart are the ticks whose labels neither touch the one before nor begin behind an end.
  function apart(ticks: Tick[], X: (v: number) => number, end: number): Tick[] {
    let free = -Infinity;
    return ticks.filter((t) => {
      const half = wide(t.label) / 2,
        x = X(t.at);
      if (x - half < free || x + half > end) return false;
      free = x + half + 7;
      return true;
    });
  }

  /** draw draws a plot; the key of its lines stands elsewhere. */
  export function draw(p: Plot, id: string, w: number, h: number): SVGSVGElement {
    const spots = p.lines.flatMap((l) => l.spots);
    const y = vertical(p, spots);
    const x = p.frontier ? fromZero(Math.max(...spots.map((s) => s.x))) : byLoad(spots, !!p.x.pow2);
    const inf = spots.some((s) => s.x === Infinity) ? Math.min(Math.max(40, p.lines.length * 9 + 8), w / 5) : 0;
    const left = Math.max(26, Math.ceil(Math.max(...y.ticks.map((t) => wide(t.label))) + 7));
    const right = w - 16,
      top = 28,
      bottom = h - 48;
    const before = p.frontier ? 0 : Math.min(50, Math.max(8, (right - left) / (2 * x.ticks.length || 1)));
    const after = inf ? inf + 28 : before / 2;
    const X = (v: number) =>
      v === Infinity ? right - inf / 2 : left + before + x.share(v) * (right - left - before - after);
    const Y = (v: number) => bottom - Math.max(0, Math.min(1, y.share(v))) * (bottom - top);

    const svg = svgElement("svg", {
      class: "ch",
      viewBox: `0 0 ${w} ${h}`,
      width: w,
      height: h,
      role: "img",
      "aria-labelledby": `${id}-t ${id}-d`,
    });
    const spoken = (s: Spot) => (p.frontier ? `load ${s.label}: ${s.xText} and ${s.text}` : `${s.label}: ${s.text}`);
    const desc = p.lines.map((l) => `${l.name}: ${l.spots.map(spoken).join(", ")} ${p.y.unit}`).join("; ") + ".";
    svg.append(svgElement("title", { id: id + "-t" }, p.title), svgElement("desc", { id: id + "-d" }, desc));
    const xUnit = p.x.unit || p.x.title;
    const panel = svgElement("g", {});
    const text = (c: string, tx: number, ty: number, s: string) =>
      panel.append(svgElement("text", { ...(c && { class: c }), x: tx, y: ty }, s));
    // middle writes a text with its middle at a place, within the drawing.
    const middle = (c: string, tx: number, ty: number, s: string) => {
      const half = wide(s, 12, s === "inf") / 2;
      text(c, Math.max(half, Math.min(tx, w - half)), ty, s);
    };
    const path = (c: string, d: string) => d && panel.append(svgElement("path", { class: c, d }));

    const across = (vs: number[]) => vs.map((v) => `M${f(left)} ${f(Y(v))}H${f(right)}`).join("");
    path("gr mi", across(y.minor));
    path("gr", across(y.ticks.map((t) => t.at).filter((v) => Y(v) < bottom - 0.5)));
    for (const t of y.ticks) text("e", left - 7, Y(t.at) + 4, t.label);
    text("", 0, 14, cut(heading(p.y, y), w));
    // The axis is broken before the loads without end.
    const gap = right - inf - 10;
    const broken = [gap - 4, gap + 4].map((k) => `M${f(k - 3)} ${f(bottom + 5)}l6 -10`).join("");
    const base = inf && x.ticks.length ? `H${f(gap - 4)}m8 0H${f(right)}${broken}` : `H${f(right)}`;
    const shown = apart(x.ticks, X, inf ? right - inf : w);
    if (inf) shown.push({ at: Infinity, label: "inf" });
    path("bl", `M${f(left)} ${f(bottom)}${base}` + shown.map((t) => `M${f(X(t.at))} ${f(bottom)}v5`).join(""));
    for (const t of shown) middle(t.at === Infinity ? "th m" : "m", X(t.at), bottom + 17, t.label);
    middle("m", (left + right) / 2, bottom + 36, cut(heading(p.x, x), w));

    p.lines.forEach((l) => {
      const g = svgElement("g", { class: `s${l.slot}`, "data-n": l.name });
      const all = [...l.spots].sort((u, v) => u.x - v.x);
      const gone = (s: Spot) => !!p.frontier && beaten(l, s);
      const set = (s: Spot, kind: string, small: boolean) => {
        const m = marker(l.slot, X(s.x), Y(s.y), kind, small);
        const where = p.frontier ? `${s.xText} ${p.x.unit} for each user, load ${s.label}` : `${s.label} ${xUnit}`;
        const note = s.note ? ", " + s.note : "";
        m.append(svgElement("title", {}, `${l.name}, ${where}: ${s.text} ${p.y.unit}${note}`));
        g.append(m);
      };
      const draw = (c: string, d: string[]) => d.length && g.append(svgElement("path", { class: c, d: d.join("") }));
      for (const s of all.filter(gone)) set(s, "gone", true);
      const left = all.filter((s) => !gone(s));
      const bars = all.filter(ranged).map((s) => `M${f(X(s.x))} ${f(Y(s.lo!))}V${f(Y(s.hi!))}`);
      draw("q", bars);
      const line = left.filter((s) => s.x !== Infinity).map((s, k) => `${k ? "L" : "M"}${f(X(s.x))} ${f(Y(s.y))}`);
      draw(p.lines.length === 1 ? "ln so" : "ln", line.length > 1 ? line : []);
      for (const s of left) set(s, s.hollow ? "ho" : "", all.length > 40);
      panel.append(g);
    });
    if (p.frontier) {
      // Loads beside the marks, where nothing stands yet.
      const taken = spots.map((s) => ({ x: X(s.x), y: Y(s.y), half: 5 }));
      for (const l of p.lines) {
        for (const s of l.spots.filter((s) => s.label && !beaten(l, s))) {
          const at = { x: X(s.x), y: Y(s.y) - 10, half: wide(s.label, 10.5) / 2 };
          const near = (o: typeof at) => Math.abs(o.x - at.x) < o.half + at.half + 2 && Math.abs(o.y - at.y) < 9;
          if (at.x + at.half > w || taken.some(near)) continue;
          taken.push(at);
          text("pt m", at.x, at.y + 3, s.label);
        }
      }
    }
    svg.append(panel);
    return svg;
  }
}
