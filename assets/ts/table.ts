// Filters and sorting of tables. What a table can do is said in its markup, by site/tables.go:
//
//   div.tbar before .scroll   reserves the line above the table, so that nothing moves
//   table[data-filter]        may be filtered and sorted; so may every table of more than 20 rows
//   .orders                   holds a table in several orders, which links lead to: it is filtered, not sorted
//   tr.part                   is a heading above the rows of its tbody
//   tr[data-same]             says what is the default anyway: a switch hides such rows
//   td[data-sort]             the key to sort by: a number, or a text; without it, the number in
//                             the title or in a cell of class n, else the text that is shown

namespace tables {
  const { all, el, fold, say } = dom;
  const { words } = copying;

  const long = 20;

  interface Row {
    row: HTMLTableRowElement;
    text?: string; // folded when it is first needed
  }

  type Apply = (query: string, speak?: boolean) => void;

  function filter(table: HTMLTableElement, list: Row[], bar: Element): Apply {
    const label = table.caption?.textContent ?? "";
    const input = el("input", {
      type: "search",
      name: "filter",
      class: "tfind",
      placeholder: "Filter rows",
      "aria-label": ("Filter rows of " + label).trim(),
      autocomplete: "off",
      spellcheck: "false",
    });
    const count = el("span", { class: "tcount" });
    const differ = el("input", { type: "checkbox", name: "differ" });
    const parts: Node[] = [input];
    if (list.some((r) => "same" in r.row.dataset))
      parts.push(el("label", { class: "tdiffer" }, differ, "only what differs from the default"));
    bar.prepend(...parts, count);

    const apply: Apply = (query, speak) => {
      if (input.value !== query) input.value = query;
      const wanted = fold(query).split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const r of list) {
        let keep = !(differ.checked && "same" in r.row.dataset);
        if (keep && wanted.length > 0) {
          const text = (r.text ??= fold(r.row.textContent ?? ""));
          keep = wanted.every((w) => text.includes(w));
        }
        if (keep) shown++;
        if (r.row.hidden === keep) r.row.hidden = !keep;
      }
      // A heading stands above rows that are shown.
      for (const body of table.tBodies)
        body.hidden = !![...body.rows].length && [...body.rows].every((r) => r.hidden || r.matches(".part"));
      const all = shown === list.length;
      count.textContent = all ? "" : `${shown} of ${list.length}`;
      if (speak) say(all ? "all rows shown" : `${shown} of ${list.length} rows shown`);
    };

    // A table in several orders is several tables: what is looked for in one is looked for in all.
    const group: Element = table.closest(".orders") ?? table;
    input.addEventListener("input", () => {
      apply(input.value, true);
      group.dispatchEvent(new CustomEvent("filter", { detail: input.value }));
    });
    if (group !== table) group.addEventListener("filter", (e) => apply((e as CustomEvent<string>).detail));
    input.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && input.value) {
        e.preventDefault();
        input.value = "";
        input.dispatchEvent(new Event("input"));
      }
    });
    differ.addEventListener("change", () => apply(input.value, true));
    return apply;
  }

  // number reads a number as pages write it: thousands apart, a real minus sign, "~" before it.
  function number(s: string): number | undefined {
    const plain = s.replace(/[\u202f\u2009\u00a0\s]/g, "").replace(/\u2212/g, "-");
    if (/^inf\b/.test(plain)) return Infinity;
    const m = /-?\d+(\.\d+)?(e[-+]?\d+)?/i.exec(plain);
    return m ? Number(m[0]) : undefined;
  }

  // key is what a cell is sorted by. Nothing is a missing value: it comes last either way.
  function key(cell: HTMLTableCellElement | undefined): number | string | undefined {
    if (!cell) return undefined;
    const given = cell.dataset.sort;
    if (given !== undefined)
      return given === "" ? undefined : given !== "inf" && isNaN(Number(given)) ? given : number(given);
    if (cell.classList.contains("na")) return undefined;
    const text = words(cell);
    if (cell.classList.contains("n") || cell.closest(".matrix") && cell.tagName === "TD")
      return number(cell.title) ?? number(text);
    return text || undefined;
  }

  function sorting(table: HTMLTableElement, list: Row[]): void {
    const head = table.tHead?.rows[table.tHead.rows.length - 1];
    const body = table.tBodies[0];
    if (!head || !body) return;
    const ths = [...head.cells];
    ths.forEach((th, column) => {
      // A title that only a screen reader hears has no room for a button that is seen.
      if (th.tagName !== "TH" || !th.textContent?.trim() || th.querySelector(":scope > .vh:only-child")) return;
      const name = words(th);
      let b: HTMLButtonElement;
      if (th.querySelector("a")) {
        // The name is a link already: the button stands beside it.
        const does = "Sort by " + name;
        b = el("button", { type: "button", class: "sort beside", title: does, "aria-label": does });
        th.append(b);
      } else {
        b = el("button", { type: "button", class: "sort" }, ...th.childNodes);
        th.append(b);
      }
      b.addEventListener("click", () => {
        const number = body.rows[0]?.cells[column]?.matches(".n, .matrix td") ?? false;
        const first = number ? "descending" : "ascending", second = number ? "ascending" : "descending";
        const was = th.getAttribute("aria-sort");
        const now = was === first ? second : was === second ? "" : first;
        for (const o of ths) o.removeAttribute("aria-sort");
        let order = list;
        if (now) {
          // Made here: it takes longer to make than all else that a page's script does when the page opens.
          const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
          th.setAttribute("aria-sort", now);
          const sign = now === "ascending" ? 1 : -1;
          order = list.map((r) => ({ r, k: key(r.row.cells[column]) })).sort((a, b) => {
            if (a.k === undefined || b.k === undefined)
              return (a.k === undefined ? 1 : 0) - (b.k === undefined ? 1 : 0);
            if (typeof a.k === "number" && typeof b.k === "number")
              return a.k === b.k ? 0 : sign * (a.k < b.k ? -1 : 1);
            return sign * collator.compare(String(a.k), String(b.k));
          }).map((x) => x.r);
        }
        table.classList.toggle("sorted", !!now);
        // Thousands of rows move faster where nothing is laid out in between.
        const after = body.nextSibling;
        body.remove();
        body.append(...order.map((r) => r.row));
        table.insertBefore(body, after);
        say(now ? `sorted by ${name}, ${now}` : "in the order of the page");
      });
    });
  }

  export function enhance(): void {
    const asked = new URLSearchParams(location.hash.slice(1)).get("filter");
    let first: Apply | undefined;
    const clear: [HTMLTableElement, Apply][] = [];
    for (const table of all<HTMLTableElement>("main table.d")) {
      const list = [...table.tBodies].flatMap((b) => [...b.rows]).filter((r) => !r.matches(".part"))
        .map((row) => ({ row }));
      const able = "filter" in table.dataset || list.length > long || asked !== null && !first;
      if (!able) continue;
      const box = table.closest(".scroll") ?? table;
      let bar = box.previousElementSibling;
      if (!bar?.matches(".tbar")) box.before((bar = el("div", { class: "tbar" })));
      const apply = filter(table, list, bar);
      first ??= apply;
      clear.push([table, apply]);
      // The headings of a table in several orders are links to them.
      if (!table.closest(".orders")) sorting(table, list);
    }
    if (asked !== null) first?.(asked);
    // A link to a row that a filter hides shows it.
    addEventListener("hashchange", () => {
      const query = new URLSearchParams(location.hash.slice(1)).get("filter");
      if (query !== null) first?.(query);
      const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
      const row = target?.closest("tr");
      for (const [table, apply] of clear) {
        if (row?.hidden && table.contains(row)) {
          apply("");
          row.hidden = false;
          target?.scrollIntoView();
        }
      }
    });
  }
}
