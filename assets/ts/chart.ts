// Charts: what a mark and the others at its load say in a tooltip that can be pointed at, pinned and dismissed; a line
// through them; a walk over the marks with the arrow keys; series that can be switched off. A chart is an svg.ch, its
// series are groups with data-n, whose marks hold a <title>; a second drawing of a chart leaves both to the first. Package
// site/chart writes them.

namespace charting {
  const { all, button, el } = dom;

  interface Mark {
    shape: SVGGraphicsElement;
    text: string;
    series: Series;
  }

  interface Series {
    group: SVGGElement;
    name: string;
    marks: Mark[];
    /** All series of its chart. */
    of: Series[];
  }

  const bare = (s: string | null): string => (s ?? "").replace(/[\u2066-\u2069]/g, "").trim();

  // called is the name that a text of a drawing stands for: where it was cut, its title is the whole.
  const called = (t: SVGTextElement): string => bare((t.querySelector("title") ?? t).textContent);

  // seriesOf are the series of a drawing with marks that say something. Where another drawing of the same chart stands
  // before it, that one says it for both: first are its series, in the same order.
  function seriesOf(svg: SVGSVGElement, first: Series[]): Series[] {
    const list: Series[] = [];
    for (const group of all<SVGGElement>("g[data-n]", svg)) {
      const name = bare(group.dataset.n ?? "");
      const twin = name ? undefined : first[list.length];
      const shapes = [...group.children].filter((s) =>
        twin ? s.matches(".mk, .fillb") : s.firstElementChild?.tagName === "title",
      ) as SVGGraphicsElement[];
      if (shapes.length === 0) continue;
      const titles = shapes.map((s, i) => (twin ? twin.marks[i]?.text : s.firstElementChild!.textContent) ?? "");
      const s: Series = { group, name: twin?.name ?? name, marks: [], of: list };
      s.marks = shapes.map((shape, i) => ({ shape, text: titles[i], series: s }));
      list.push(s);
    }
    return list;
  }

  // The one tooltip of the page.
  let tip: HTMLElement | undefined;
  let shown: Mark | undefined;
  let pinned = false;
  let timer = 0;

  // ring shows which mark is meant on top of all others: marks of equal values lie on each other.
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ring.setAttribute("class", "ring");
  ring.setAttribute("aria-hidden", "true");

  function encircle(m: Mark): void {
    const b = m.shape.getBBox(),
      pad = 4;
    const box = {
      x: b.x - pad,
      y: b.y - pad,
      width: b.width + 2 * pad,
      height: b.height + 2 * pad,
      rx: Math.min(b.width, b.height) / 2 + pad,
    };
    for (const [k, v] of Object.entries(box)) ring.setAttribute(k, v.toFixed(1));
    m.shape.ownerSVGElement?.append(ring);
  }

  const cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
  cross.setAttribute("class", "cross");
  cross.setAttribute("aria-hidden", "true");

  // said parts the text of a mark, "name, load: value", into its load and its value.
  function said(m: Mark): [string, string] {
    const text = bare(m.text),
      cut = text.lastIndexOf(": ");
    return cut > 0 && m.series.name && text.startsWith(m.series.name)
      ? [text.slice(m.series.name.length, cut), text.slice(cut + 2)]
      : ["", ""];
  }

  // beside are the marks of the other series at the load of a mark: one above the other, or nearly so, as where loads
  // have a category of their own. The points of a frontier have equal loads and stand apart.
  function beside(m: Mark): Mark[] {
    const [load] = said(m),
      x = middle(m);
    if (!load) return [];
    return m.series.of
      .filter((s) => s !== m.series && !s.group.classList.contains("gone"))
      .flatMap((s) => s.marks.filter((o) => said(o)[0] === load && Math.abs(middle(o) - x) < 16).slice(0, 1));
  }

  // strike draws the line through a mark and those beside it, over the height of all panels.
  function strike(m: Mark): void {
    const svg = m.shape.ownerSVGElement!,
      b = m.shape.getBBox();
    const panels = all<SVGGraphicsElement>(".gr, .bl", svg).map((g) => g.getBBox());
    if (panels.length === 0) return;
    const top = Math.min(...panels.map((p) => p.y)),
      bottom = Math.max(...panels.map((p) => p.y + p.height));
    cross.setAttribute("d", `M${(b.x + b.width / 2).toFixed(1)} ${top.toFixed(1)}V${bottom.toFixed(1)}`);
    svg.append(cross);
  }

  function hide(): void {
    clearTimeout(timer);
    shown?.shape.classList.remove("cur");
    ring.remove();
    cross.remove();
    shown = undefined;
    pinned = false;
    if (tip) tip.hidden = true;
  }

  // later hides the tooltip unless the pointer reaches it first.
  function later(): void {
    clearTimeout(timer);
    if (!pinned) timer = window.setTimeout(hide, 300);
  }

  function show(m: Mark): void {
    clearTimeout(timer);
    if (!tip) {
      tip = el("div", { class: "tip", role: "tooltip" });
      tip.addEventListener("pointerenter", () => clearTimeout(timer));
      tip.addEventListener("pointerleave", later);
    }
    // In the figure, so that what is in it comes next after the chart.
    const home = m.shape.closest("figure") ?? document.querySelector("main") ?? document.body;
    if (tip.parentElement !== home) home.append(tip);
    if (m !== shown) {
      shown?.shape.classList.remove("cur");
      shown = m;
      m.shape.classList.add("cur");
      const others = beside(m);
      if (others.length > 0) strike(m);
      else cross.remove();
      encircle(m);
      const cut = m.text.lastIndexOf(": ");
      tip.textContent = cut > 0 ? m.text.slice(0, cut) : m.text;
      if (cut > 0) tip.append(el("b", {}, m.text.slice(cut + 2)));
      for (const o of others) tip.append(el("span", {}, o.series.name, " ", el("b", {}, said(o)[1])));
    }
    tip.hidden = false;
    tip.classList.toggle("pinned", pinned);
    // A tooltip holds nothing to press; one that is pinned does.
    tip.setAttribute("role", pinned ? "group" : "tooltip");
    if (pinned) tip.append(button("Close", hide, { class: "act" }));
    const r = m.shape.getBoundingClientRect(),
      t = tip.getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    const x = Math.max(8, Math.min(r.left + r.width / 2 - t.width / 2, wide - t.width - 8));
    const y = r.top - t.height - 8 < 0 ? r.bottom + 8 : r.top - t.height - 8;
    tip.style.left = `${x + scrollX}px`;
    tip.style.top = `${y + scrollY}px`;
  }

  // pin keeps the tooltip of a mark until it is dismissed; a second time lets it go.
  function pin(m: Mark): void {
    const again = pinned && shown === m;
    hide();
    if (again) return;
    pinned = true;
    show(m);
  }

  const middle = (m: Mark): number => {
    const r = m.shape.getBoundingClientRect();
    return r.left + r.width / 2;
  };

  // nearest is the mark closest to a place on the screen, at most 32 pixels away; where none is, one that others stand
  // beside, at the load closest to the place.
  function nearest(list: Series[], x: number, y: number, column: boolean): Mark | undefined {
    let best: Mark | undefined,
      least = 32 * 32;
    const marks = list.filter((s) => !s.group.classList.contains("gone")).flatMap((s) => s.marks);
    for (const high of column ? [1, 1e-6] : [1]) {
      for (const m of marks) {
        const r = m.shape.getBoundingClientRect();
        const dx = Math.max(r.left - x, 0, x - r.right),
          dy = Math.max(r.top - y, 0, y - r.bottom);
        if (dx * dx + dy * dy * high < least) {
          least = dx * dx + dy * dy * high;
          best = m;
        }
      }
      if (best) return high === 1 || beside(best).length > 0 ? best : undefined;
    }
    return undefined;
  }

  function chart(svg: SVGSVGElement, list: Series[]): void {
    // A picture has no parts to walk over: it becomes a group whose only stop is one mark.
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-roledescription", "chart");
    const own = svg.querySelector(":scope > title");
    if (own) {
      // The browser's own tooltip would lie over ours.
      const d = document.createElementNS("http://www.w3.org/2000/svg", "desc");
      d.id = own.id;
      d.textContent = own.textContent;
      own.replaceWith(d);
    }
    for (const c of all(":scope > :not(desc, g), :scope > g > :not([data-n])", svg))
      if (!c.parentElement?.matches("[data-n]")) c.setAttribute("aria-hidden", "true");
    const marks = list.flatMap((s) => s.marks);
    let stop = marks[0];
    const rove = (m: Mark) => {
      stop.shape.setAttribute("tabindex", "-1");
      stop = m;
      m.shape.setAttribute("tabindex", "0");
    };
    let ready = false;
    const prepare = () => {
      if (ready) return;
      ready = true;
      for (const m of marks) {
        m.shape.setAttribute("role", "img");
        m.shape.setAttribute("aria-label", m.text);
        m.shape.firstElementChild?.remove();
      }
    };
    rove(stop);
    svg.addEventListener("pointerenter", prepare);
    svg.addEventListener("pointermove", (e) => {
      if (pinned || e.pointerType === "touch") return;
      const m = nearest(list, e.clientX, e.clientY, true);
      if (m) show(m);
      else later();
    });
    svg.addEventListener("pointerleave", later);
    svg.addEventListener("click", (e) => {
      prepare();
      const m = nearest(list, e.clientX, e.clientY, false);
      if (m) pin(m);
      else hide();
    });
    svg.addEventListener("focusin", (e) => {
      prepare();
      const m = marks.find((m) => m.shape === e.target);
      if (!m) return;
      rove(m);
      if (!pinned && m.shape.matches(":focus-visible")) show(m);
    });
    svg.addEventListener("focusout", later);
    svg.addEventListener("keydown", (e) => {
      const now = marks.find((m) => m.shape === e.target);
      if (!now || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "Enter" || e.key === " ") {
        e.preventDefault();
        return pin(now);
      }
      const visible = list.filter((s) => !s.group.classList.contains("gone"));
      const line = now.series.marks,
        i = line.indexOf(now),
        n = visible.length,
        j = visible.indexOf(now.series);
      let next: Mark | undefined;
      if (e.key === "ArrowRight") next = line[i + 1];
      else if (e.key === "ArrowLeft") next = line[i - 1];
      else if (e.key === "Home") next = line[0];
      else if (e.key === "End") next = line[line.length - 1];
      else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        // The mark of the next series that stands at the same load.
        const x = middle(now);
        const other = visible[(j + (e.key === "ArrowDown" ? 1 : n - 1)) % n];
        next = other?.marks.reduce((a, b) => (Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a));
      } else return;
      e.preventDefault();
      if (!next || next === now) return;
      hide();
      next.shape.focus();
      show(next);
    });
  }

  // switches lets series of a figure be hidden: by its key where it has one in HTML, else by a list that
  // opens from its line of tools.
  function switches(figure: Element, list: Series[]): void {
    const names = [...new Set(list.map((s) => s.name))];
    if (names.length < 2 || names.includes("")) return;
    const set = (name: string, on: boolean) => {
      for (const s of list) if (s.name === name) s.group.classList.toggle("gone", !on);
      for (const t of all<SVGTextElement>(".ch :is(.lb, .ky)", figure))
        if (called(t) === name) t.classList.toggle("faded", !on);
      hide();
    };
    const keys = all(".key li", figure);
    if (keys.length > 0) {
      for (const li of keys) {
        const name = bare(li.textContent);
        if (!names.includes(name)) continue;
        const b = el(
          "button",
          { type: "button", class: "tog", "aria-pressed": "true", title: "Show or hide " + name },
          ...li.childNodes,
        );
        b.addEventListener("click", () => {
          const on = b.getAttribute("aria-pressed") !== "true";
          b.setAttribute("aria-pressed", String(on));
          set(name, on);
        });
        li.append(b);
      }
      return;
    }
    const tools = figure.querySelector(":scope > .tools");
    if (!tools) return;
    const panel = el("div", { class: "stog", role: "group", "aria-label": "Series shown", hidden: true });
    for (const name of names) {
      const c = el("input", { type: "checkbox", name: "series" });
      c.checked = true;
      c.addEventListener("change", () => set(name, c.checked));
      panel.append(el("label", {}, c, name));
    }
    const b = button("Series", () => unfold(!!panel.hidden), { class: "act", "aria-expanded": "false" });
    const unfold = (yes: boolean) => {
      panel.hidden = !yes;
      b.setAttribute("aria-expanded", String(yes));
    };
    const both = el("span", { class: "pop" }, b, panel);
    both.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && !panel.hidden) {
        unfold(false);
        b.focus();
      }
    });
    both.addEventListener("focusout", (e) => {
      const to = e.relatedTarget as Node | null;
      if (to && !both.contains(to)) unfold(false);
    });
    tools.prepend(both);
  }

  let listening = false;

  /** enhance improves the charts of a page, or of a part of it that was drawn later; one key may be that of all. */
  export function enhance(root: ParentNode = document, keyed?: Element): void {
    let any = false;
    const drawn = new Map<Element, Series[]>();
    let first: Series[] = [];
    for (const svg of all<SVGSVGElement>("svg.ch", root)) {
      const again = svg.previousElementSibling?.matches("svg.ch");
      const list = seriesOf(svg, again ? first : []);
      if (!again) first = list;
      if (list.length === 0) continue;
      any = true;
      chart(svg, list);
      const figure = keyed ?? svg.closest("figure");
      if (figure) drawn.set(figure, [...(drawn.get(figure) ?? []), ...list]);
    }
    if (!any) return;
    drawn.forEach((list, figure) => switches(figure, list));
    if (listening) return;
    listening = true;
    document.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && shown) hide();
    });
    document.addEventListener("click", (e) => {
      if (pinned && !(e.target as Element).closest?.(".tip, svg.ch")) hide();
    });
  }
}
