// Charts drawn in the browser, in the visual language of package site/chart: the same classes, colours,
// dashes and marks by place, round ticks, an axis of its own for an infinite rate. What a script needs
// for tooltips and walks is marked up alike, so charting works on both.

namespace plotting {
  const { tick } = numbers;

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
    scale: "auto" | "linear" | "pow2";
  }

  export interface Plot {
    title: string;
    x: Axis;
    y: Axis;
    lines: Line[];
    /** Both axes from zero; points that another one of their line beats are grey. */
    frontier?: boolean;
  }

  interface Scale {
    log: boolean;
    min: number;
    max: number;
    ticks: number[];
    minor: number[];
  }

  const svgElement = <K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Record<string, string | number> = {},
    text?: string,
  ): SVGElementTagNameMap[K] => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const k in attributes)
      e.setAttribute(
        k,
        typeof attributes[k] === "number"
          ? String(Math.round((attributes[k] as number) * 10) / 10)
          : (attributes[k] as string),
      );
    if (text !== undefined) e.textContent = text;
    return e;
  };

  const pen = document.createElement("canvas").getContext("2d");
  function wide(text: string, size = 12, bold = false): number {
    if (!pen) return text.length * size * 0.6;
    pen.font = `${bold ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(text).width;
  }

  function cut(text: string, most: number, size = 12, bold = false): string {
    if (wide(text, size, bold) <= most) return text;
    const signs = [...text];
    while (signs.length > 1 && wide(signs.join("") + "…", size, bold) > most) signs.pop();
    return signs.join("") + "…";
  }

  // step is the smallest round step that takes at most n intervals over a span.
  function step(span: number, n: number): number {
    if (!(span > 0)) return 1;
    const base = 10 ** Math.floor(Math.log10(span / n));
    for (const m of [1, 2, 2.5, 5, 10, 20]) {
      const s = m * base;
      if (m === 2.5 && s < 10 && s > 0.1) continue;
      if (span / s <= n * (1 + 1e-9)) return s;
    }
    return 50 * base;
  }

  const clean = (v: number): number => Number(v.toPrecision(12));

  function linear(lo: number, hi: number, room: number, zero: boolean, nice: boolean): Scale {
    if (zero && lo > 0) lo = 0;
    if (!(hi > lo)) {
      const d = Math.abs(lo) * 0.1 || 1;
      if (lo === 0) hi = 1;
      else [lo, hi] = [lo - d, hi + d];
    }
    const n = Math.max(2, Math.min(room, 7));
    let st = step(hi - lo, n);
    if (nice) {
      for (let i = 0; i < 3; i++) {
        const l = Math.floor(lo / st + 1e-9) * st,
          h = Math.ceil(hi / st - 1e-9) * st;
        if ((h - l) / st <= n + 1e-6) {
          [lo, hi] = [l, h];
          break;
        }
        st = step((h - l) * 1.0001, n);
      }
    }
    const ticks = [];
    for (let k = Math.ceil(lo / st - 1e-9); k * st <= hi + st * 1e-6 && ticks.length < 12; k++)
      ticks.push(clean(k * st));
    return { log: false, min: lo, max: hi, ticks, minor: [] };
  }

  function powersOfTwo(lo: number, hi: number, room: number, values: number[]): Scale {
    if (hi <= lo * (1 + 1e-9)) [lo, hi] = [lo / 2, hi * 2];
    const k0 = Math.ceil(Math.log2(lo) - 1e-9),
      k1 = Math.floor(Math.log2(hi) + 1e-9);
    let every = 1;
    while ((k1 - k0) / every + 1 > Math.max(3, Math.min(room, 8))) every++;
    let ticks = [];
    for (let k = k0; k <= k1; k += every) ticks.push(2 ** k);
    if (ticks.length < 3) ticks = values.slice(0, 8);
    return { log: true, min: lo, max: hi, ticks, minor: [] };
  }

  function logarithmic(lo: number, hi: number, room: number): Scale {
    const snap = (v: number, up: boolean): number => {
      const base = 10 ** Math.floor(Math.log10(v) + 1e-12);
      return up
        ? ([1, 2, 5, 10].find((m) => m * base >= v * (1 - 1e-9)) ?? 10) * base
        : ([5, 2, 1].find((m) => m * base <= v * (1 + 1e-9)) ?? 1) * base;
    };
    [lo, hi] = [snap(lo, false), snap(hi, true)];
    if (hi <= lo * (1 + 1e-9)) [lo, hi] = [snap(lo / 2, false), snap(hi * 2, true)];
    const n = Math.max(3, Math.min(room, 8));
    const d0 = Math.ceil(Math.log10(lo) - 1e-9),
      d1 = Math.floor(Math.log10(hi) + 1e-9);
    const at = (ms: number[], from = d0 - 1) => {
      const out = [];
      for (let d = from; d <= d1; d++)
        for (const m of ms)
          if (m * 10 ** d >= lo * (1 - 1e-9) && m * 10 ** d <= hi * (1 + 1e-9)) out.push(clean(m * 10 ** d));
      return out;
    };
    const s: Scale = { log: true, min: lo, max: hi, ticks: [], minor: [] };
    if (d1 - d0 + 1 >= 3) {
      let every = 1;
      while (Math.floor((d1 - d0) / every) + 1 > n) every++;
      s.ticks = at([1]).filter((_, i) => i % every === 0);
      if (every === 1 && d1 - d0 < 6) s.minor = at([2, 5]);
      return s;
    }
    s.ticks = at([1, 2, 5]);
    if (s.ticks.length > n) s.ticks = at([1, 3]);
    if (s.ticks.length < 3) s.ticks = linear(lo, hi, n - 1, false, false).ticks.filter((v) => v > 0);
    return s;
  }

  // tickLabels are the texts of ticks, and what the title of the axis has to add to its unit.
  function tickLabels(s: Scale): [string[], string] {
    if (s.log || s.ticks.length < 2) return [s.ticks.map((v) => tick(v)), ""];
    const top = Math.max(...s.ticks.map(Math.abs));
    const [div, times] =
      top >= 1e12 ? [1e12, "trillion "] : top >= 1e9 ? [1e9, "billion "] : top >= 2e6 ? [1e6, "million "] : [1, ""];
    let d = 0;
    for (let p = Math.abs(s.ticks[1] - s.ticks[0]) / div; d < 9 && Math.abs(p - Math.round(p)) > 1e-6 * p; d++) p *= 10;
    return [s.ticks.map((v) => (v === 0 ? "0" : tick(v / div, d))), times];
  }

  const polygon =
    (...xy: number[]) =>
    (x: number, y: number, r: number): string => {
      let d = "";
      for (let i = 0; i < xy.length; i += 2)
        d += `${i ? "L" : "M"}${(x + xy[i] * r).toFixed(1)} ${(y + xy[i + 1] * r).toFixed(1)}`;
      return d + "z";
    };
  const shapes: Record<number, (x: number, y: number, r: number) => string> = {
    2: polygon(-0.89, -0.89, 0.89, -0.89, 0.89, 0.89, -0.89, 0.89),
    3: polygon(0, -1.19, 1.15, 0.9, -1.15, 0.9),
    4: polygon(0, -1.27, 1.18, 0, 0, 1.27, -1.18, 0),
    5: polygon(0, 1.19, 1.15, -0.9, -1.15, -0.9),
    6: (x, y, r) => {
      const d = r * 0.85;
      return `M${x - d} ${y - d}L${x + d} ${y + d}M${x + d} ${y - d}L${x - d} ${y + d}`;
    },
  };

  function marker(slot: number, x: number, y: number, r: number, kind = ""): SVGElement {
    const kinds = kind === "gone" && slot === 6 ? 1 : slot;
    const c = "mk" + (kind ? " " + kind : slot === 6 ? " x" : "");
    return kinds === 1 || !shapes[kinds]
      ? svgElement("circle", { class: c, cx: x, cy: y, r })
      : svgElement("path", { class: c, d: shapes[kinds](x, y, r) });
  }

  /** mark is the mark of a run, to stand before its name. */
  export function mark(slot: number): SVGSVGElement {
    const s = svgElement("svg", {
      class: `mkr s${slot}`,
      viewBox: "0 0 12 12",
      width: 12,
      height: 12,
      "aria-hidden": "true",
    });
    s.append(marker(slot, 6, 6, 4));
    return s;
  }

  /** key lists lines of plots by name. */
  export function key(lines: { name: string; slot: number }[]): HTMLElement {
    const entry = (l: { name: string; slot: number }) => {
      const s = svgElement("svg", {
        class: `sw s${l.slot}`,
        viewBox: "0 0 30 12",
        width: 30,
        height: 12,
        "aria-hidden": "true",
      });
      s.append(svgElement("path", { class: "ln", d: "M0 6h30" }), marker(l.slot, 15, 6, 3.4));
      return dom.el("li", {}, s, dom.el("span", {}, l.name));
    };
    return dom.el("ul", { class: "key" }, ...lines.map(entry));
  }

  // beaten are the spots of a line that another of its spots beats on both axes.
  const beaten = (l: Line, s: Spot): boolean =>
    l.spots.some((o) => o !== s && o.x >= s.x && o.y >= s.y && (o.x > s.x || o.y > s.y));

  /** draw draws a plot; the key of its lines stands elsewhere. */
  export function draw(p: Plot, id: string, w: number, h: number): SVGSVGElement {
    const spots = p.lines.flatMap((l) => l.spots);
    const ys = spots.flatMap((s) => (s.lo !== undefined && s.hi !== undefined && s.lo > 0 ? [s.y, s.lo, s.hi] : [s.y]));
    const xs = [...new Set(spots.map((s) => s.x).filter(Number.isFinite))].sort((a, b) => a - b);
    const inf = spots.some((s) => s.x === Infinity);
    const yLow = Math.min(...ys),
      yHigh = Math.max(...ys);
    const top = 28,
      bottom = 48;
    const roomY = Math.floor((h - top - bottom) / 37);
    const y =
      !p.frontier && p.y.scale === "auto" && yLow > 0 && yHigh > 50 * yLow
        ? logarithmic(yLow, yHigh, roomY)
        : linear(yLow, yHigh, roomY, true, true);
    const [yLabels, times] = tickLabels(y);
    const left = Math.max(26, Math.ceil(Math.max(...yLabels.map((t) => wide(t))) + 7));
    const right = 16;
    const domain = w - left - right;

    let x: Scale;
    let before = 8,
      after = 8;
    const infWidth = inf ? Math.min(Math.max(40, p.lines.length * 9 + 8), w / 5) : 0;
    const pow2 = p.x.scale === "pow2" && xs.length > 0 && xs[0] > 0;
    if (xs.length === 0) x = { log: false, min: 0, max: 1, ticks: [], minor: [] };
    else if (p.frontier) {
      x = linear(xs[0], xs[xs.length - 1], Math.max(3, Math.floor(domain / 64)), true, true);
      before = after = 0;
    } else if (pow2) x = powersOfTwo(xs[0], xs[xs.length - 1], Math.max(6, Math.floor(domain / 40)), xs);
    else {
      x = linear(xs[0], xs[xs.length - 1], Math.max(3, Math.floor(domain / 64)), false, false);
      if (xs.length > 1 && xs.length <= 12) {
        x.ticks = xs;
        before = Math.max(before, Math.min(50, domain / (2 * xs.length)));
        after = Math.max(after, before / 2);
      }
    }
    if (xs.length === 1) x.ticks = xs;
    if (infWidth) after = infWidth + 28;

    const b = { left, right: w - right, top, bottom: h - bottom };
    const share = (s: Scale, v: number) =>
      s.log ? Math.log(v / s.min) / Math.log(s.max / s.min) : (v - s.min) / (s.max - s.min);
    const X = (v: number) =>
      v === Infinity ? b.right - infWidth / 2 : b.left + before + share(x, v) * (domain - before - after);
    const Y = (v: number) => b.bottom - share(y, Math.max(y.min, Math.min(y.max, v))) * (b.bottom - b.top);

    const svg = svgElement("svg", {
      class: "ch",
      viewBox: `0 0 ${w} ${h}`,
      width: w,
      height: h,
      role: "img",
      "aria-labelledby": `${id}-t ${id}-d`,
    });
    const xUnit = p.x.unit || p.x.title;
    const spoken = (s: Spot) => (p.frontier ? `load ${s.label}: ${s.xText} and ${s.text}` : `${s.label}: ${s.text}`);
    const desc = p.lines.map((l) => `${l.name}: ${l.spots.map(spoken).join(", ")} ${p.y.unit}`).join("; ") + ".";
    svg.append(svgElement("title", { id: id + "-t" }, p.title), svgElement("desc", { id: id + "-d" }, desc));
    const panel = svgElement("g", { "data-x": xUnit, "data-y": p.y.unit });
    const text = (c: string, tx: number, ty: number, s: string) =>
      panel.append(svgElement("text", { class: c, x: tx, y: ty }, s));
    const path = (c: string, d: string) => d && panel.append(svgElement("path", { class: c, d }));
    const f = (v: number) => v.toFixed(1);
    const across = (vs: number[]) => vs.map((v) => `M${f(b.left)} ${f(Y(v))}H${f(b.right)}`).join("");
    path("gr mi", across(y.minor));
    path("gr", across(y.ticks.filter((v) => Y(v) < b.bottom - 0.5)));
    y.ticks.forEach((v, i) => text("tk e", b.left - 7, Y(v) + 4, yLabels[i]));
    const words = (a: Axis, extra: string, log: boolean) => {
      const unit = extra + a.unit;
      return a.title + (unit.trim() ? ", " + unit.trim() : "") + (log ? " (log scale)" : "");
    };
    text("ax", 0, 14, cut(words(p.y, times, y.log), w));
    let base = `M${f(b.left)} ${f(b.bottom)}H`;
    if (infWidth && xs.length > 0) {
      const c = b.right - infWidth - 10;
      base += `${f(c - 4)}M${f(c + 4)} ${f(b.bottom)}H${f(b.right)}`;
      for (const k of [c - 4, c + 4]) base += `M${f(k - 3)} ${f(b.bottom + 5)}L${f(k + 3)} ${f(b.bottom - 5)}`;
    } else base += f(b.right);
    const [xLabels, xTimes] = tickLabels(x);
    const ticks = x.ticks.map((v, i) => ({ v, label: xLabels[i] }));
    // Labels that would touch: every n-th stays.
    let shown = ticks;
    for (let every = 1; every <= ticks.length + 1; every++) {
      shown = ticks.filter((_, i) => i % every === 0);
      let end = -Infinity,
        fits = true;
      for (const t of shown) {
        const half = wide(t.label) / 2;
        if (X(t.v) - half < end + 7) fits = false;
        end = X(t.v) + half;
      }
      if (fits && (!infWidth || end < X(Infinity) - wide("inf", 12, true) / 2 - 7)) break;
    }
    if (infWidth) shown = [...shown, { v: Infinity, label: "inf" }];
    path("bl", base + shown.map((t) => `M${f(X(t.v))} ${f(b.bottom)}v5`).join(""));
    for (const t of shown) {
      const half = wide(t.label, 12, t.v === Infinity) / 2;
      text(t.v === Infinity ? "tk th m" : "tk m", Math.max(half, Math.min(X(t.v), w - half)), b.bottom + 17, t.label);
    }
    const title = cut(words(p.x, xTimes, false), w),
      half = wide(title) / 2;
    text("ax m", Math.max(half, Math.min((b.left + b.right) / 2, w - half)), b.bottom + 36, title);

    p.lines.forEach((l, i) => {
      const g = svgElement("g", { class: `s${l.slot}`, "data-s": String(i + 1), "data-n": l.name });
      const all = [...l.spots].sort((u, v) => u.x - v.x);
      const beat = p.frontier ? all.filter((s) => beaten(l, s)) : [];
      const line = all.filter((s) => s.x !== Infinity && !beat.includes(s));
      const say = (m: SVGElement, s: Spot) => {
        const where = p.frontier ? `${s.xText} ${p.x.unit} for each user, load ${s.label}` : `${s.label} ${xUnit}`;
        m.append(svgElement("title", {}, `${l.name}, ${where}: ${s.text} ${p.y.unit}${s.note ? ", " + s.note : ""}`));
        return m;
      };
      for (const s of beat) g.append(say(marker(l.slot, X(s.x), Y(s.y), 2.4, "gone"), s));
      const bars = all
        .filter((s) => s.lo !== undefined && s.hi !== undefined && s.lo < s.hi)
        .map((s) => `M${f(X(s.x))} ${f(Y(s.lo!))}V${f(Y(s.hi!))}`)
        .join("");
      if (bars) g.append(svgElement("path", { class: "q", d: bars }));
      if (line.length > 1)
        g.append(
          svgElement("path", {
            class: p.lines.length === 1 ? "ln so" : "ln",
            d: line.map((s, k) => `${k ? "L" : "M"}${f(X(s.x))} ${f(Y(s.y))}`).join(""),
          }),
        );
      const r = all.length > 40 ? 2.2 : 3.4;
      for (const s of all)
        if (!beat.includes(s))
          g.append(say(marker(l.slot, X(s.x), Y(s.y), r, s.hollow && l.slot !== 6 ? "ho" : ""), s));
      panel.append(g);
    });
    if (p.frontier) {
      // Loads beside the marks, where nothing stands yet.
      const taken = spots.map((s) => ({ x: X(s.x), y: Y(s.y), half: 5 }));
      for (const l of p.lines) {
        for (const s of l.spots) {
          if (!s.label || beaten(l, s)) continue;
          const half = wide(s.label, 10.5) / 2,
            at = { x: X(s.x), y: Y(s.y) - 10, half };
          if (
            at.x + half > w ||
            taken.some((o) => Math.abs(o.x - at.x) < o.half + half + 2 && Math.abs(o.y - at.y) < 9)
          )
            continue;
          taken.push(at);
          text("pt m", at.x, at.y + 3, s.label);
        }
      }
    }
    svg.append(panel);
    return svg;
  }
}
