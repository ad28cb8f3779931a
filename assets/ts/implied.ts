// What pages have alike and their markup does not repeat: links to their parts beside the headings, what a region that
// scrolls is called, and the roles of lists. Without this script the contents of a page lead to its sections.

namespace implied {
  const { all, el } = dom;

  function pin(heading: Element, id: string | undefined, part: string): void {
    if (id && !heading.querySelector(".pin"))
      heading.append(" ", el("a", { class: "pin", href: "#" + id, "aria-label": "Link to this " + part }, "#"));
  }

  // Where a list stands in blocks, some browsers take it for no table.
  function roles(): void {
    for (const table of all<HTMLTableElement>("table.list:not([role])")) {
      table.setAttribute("role", "table");
      for (const row of [...table.tBodies].flatMap((b) => [...b.rows])) {
        row.setAttribute("role", "row");
        for (const c of row.cells) c.setAttribute("role", c.tagName === "TH" ? "rowheader" : "cell");
      }
    }
  }

  export function enhance(): void {
    for (const box of all(".scroll:not([role])")) {
      const caption = box.querySelector(":scope > table > caption");
      if (!caption) continue;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", caption.textContent!);
      box.tabIndex = 0;
    }
    // base.css keeps their places.
    for (const h of all("section[id] > h2:not([id])")) pin(h, h.parentElement!.id, "section");
    for (const h of all("section > h3[id]")) pin(h, h.id, "part");
    for (const p of all("figure[id] > figcaption > .find")) pin(p, p.closest("figure")!.id, "chart");
    for (const c of all("table > caption:not(.vh)")) pin(c, c.closest("table[id], details[id]")?.id, "table");
    const narrow = matchMedia("(max-width: 71.99rem)"); // as in tables.css
    narrow.addEventListener("change", roles);
    if (narrow.matches) roles();
  }
}
