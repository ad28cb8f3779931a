// Copying: code as it stands, tables as Markdown and as CSV.

namespace copying {
  const { all, button, el, say } = dom;

  // written puts a text on the clipboard. Where the browser offers no clipboard, which it may do on
  // pages from a file or without encryption, the old way is tried.
  async function written(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = el("textarea", { class: "vh", "aria-hidden": "true", tabindex: "-1" });
      area.value = text;
      const focus = document.activeElement as HTMLElement | null;
      document.body.append(area);
      area.select();
      let ok = false;
      try {
        ok = document.execCommand("copy");
      } catch {
        // there is no such command: the caller selects instead
      }
      area.remove();
      focus?.focus({ preventScroll: true });
      return ok;
    }
  }

  // copier is a button that copies what text gives. Where nothing can be copied, shown is selected, for the
  // reader's own keys.
  function copier(label: string, name: string, text: () => string, shown: Element): HTMLButtonElement {
    let timer = 0;
    return button(label, async (b) => {
      const ok = await written(text());
      if (!ok) getSelection()?.selectAllChildren(shown);
      say(ok ? name + " copied" : name + " is selected: copy it with the keyboard");
      b.textContent = ok ? "Copied" : "Selected";
      clearTimeout(timer);
      timer = window.setTimeout(() => (b.textContent = label), 2000);
    }, { class: "act", title: "Copy " + name });
  }

  /** words is the text of a cell as it is shown: without what only screen readers are told. */
  export function words(cell: Element): string {
    let c = cell;
    if (cell.firstElementChild && cell.querySelector(".vh, button, svg, del, .sub, small")) {
      c = cell.cloneNode(true) as Element;
      for (const e of all(".vh, button, svg, del", c)) e.remove();
      for (const e of all(".sub, small", c)) e.before(" ");
    }
    return (c.textContent ?? "").replace(/\s+/g, (s) => (/\u202f/.test(s) ? "\u202f" : " ")).trim();
  }

  const figure = /^-?(\d+(\.\d+)?(e[-+]?\d+)?|inf)$/i;

  // exact is the value of a cell: the attribute data-value, else the whole number or the uncut
  // text that the title holds, else what is shown. A missing value is empty; its reason is kept.
  function exact(cell: HTMLElement): string {
    const shown = words(cell);
    if (cell.dataset.value !== undefined) return cell.dataset.value;
    if (figure.test(cell.title) || shown.endsWith("…") && cell.title) return cell.title;
    if (cell.classList.contains("n")) {
      // A number with thousands apart; a second line below it is no part of it.
      const first = [...cell.childNodes].find((n) => n.textContent?.trim())?.textContent ?? "";
      const plain = first.replace(/[\u202f\u2009\u00a0\s]/g, "").replace("\u2212", "-");
      if (figure.test(plain)) return plain;
    }
    return shown === "·" ? "" : shown;
  }

  const aside = ".sub, small, .mut, .flag, .more";

  // parted is the value of a cell, and what is said beside it.
  function parted(cell: Element): [value: string, said: string] {
    const c = cell.cloneNode(true) as Element;
    const notes = all(aside, c).filter((e) => !e.parentElement?.closest(aside));
    const said = notes.map(words).filter(Boolean).join("; ");
    for (const e of notes) e.remove();
    return [words(c), said];
  }

  // noted is a cell with what is said beside its value in brackets: "117 (on 4×, 469 in all)".
  function noted(cell: Element): string {
    const [value, said] = parted(cell);
    return value && said ? `${value} (${said})` : value || said;
  }

  const dense = (s: string): string => s.replace(/\s+/g, "");

  // A selection within tables is copied as what it stands for: a whole cell gives its value without the note behind it,
  // a number exactly; several cells give their rows, with tabs between them.
  function selected(e: ClipboardEvent): void {
    const s = getSelection();
    if (!s || s.isCollapsed || !e.clipboardData) return;
    const range = s.getRangeAt(0), node = range.commonAncestorContainer;
    const inside = (node instanceof Element ? node : node.parentElement)!;
    const one = inside.closest<HTMLElement>("main td, main th"), table = inside.closest<HTMLTableElement>("main table");
    let text = "";
    if (one) {
      const chosen = dense(s.toString()), value = parted(one)[0];
      const whole = value !== "" && chosen.startsWith(dense(value)) && dense(one.textContent ?? "").includes(chosen);
      if (whole) text = one.classList.contains("n") && /^\S*\d/.test(value) ? exact(one) : value;
    } else if (table) {
      text = [...table.rows].map((r) => [...r.cells].filter((c) => range.intersectsNode(c))).filter((cs) => cs.length)
        .map((cs) => cs.map(exact).join("\t")).join("\n");
    }
    if (!text) return;
    e.clipboardData.setData("text/plain", text);
    e.preventDefault();
  }
  document.addEventListener("copy", selected);

  // heads names the columns: all rows of the head, one above the other, with the unit in brackets.
  function heads(table: HTMLTableElement): string[] {
    const names: string[] = [];
    for (const row of table.tHead?.rows ?? []) {
      let i = 0;
      for (const cell of row.cells) {
        const c = cell.cloneNode(true) as HTMLElement;
        for (const b of all("button", c)) b.replaceWith(...b.childNodes);
        const u = c.querySelector(".u");
        u?.remove();
        let text = (c.textContent ?? "").trim();
        if (u?.textContent) text += ` (${u.textContent.trim()})`;
        for (let n = 0; n < cell.colSpan; n++, i++) names[i] = [names[i], text].filter(Boolean).join(" ");
      }
    }
    return names;
  }

  const rows = (table: HTMLTableElement): HTMLTableRowElement[] =>
    [...table.tBodies].flatMap((b) => [...b.rows]).filter((r) => !r.hidden && !r.matches(".part"));

  function markdown(table: HTMLTableElement): string {
    const cell = (s: string) => s.replace(/[\\|<*_`[\]]/g, "\\$&");
    const line = (cs: string[]) => "| " + cs.join(" | ") + " |";
    const names = heads(table);
    const first = rows(table)[0];
    const rule = names.map((_, i) => (first?.cells[i]?.classList.contains("n") ? "---:" : "---"));
    const body = rows(table).map((r) => line([...r.cells].map((c) => cell(noted(c)))));
    return [line(names.map(cell)), line(rule), ...body].join("\n") + "\n";
  }

  function csv(table: HTMLTableElement): string {
    const cell = (s: string) => {
      // What a spreadsheet would take for a formula is marked as text.
      if (/^[=+\-@\t]/.test(s) && !figure.test(s)) s = "'" + s;
      return /[",\n\r]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s;
    };
    const line = (cs: string[]) => cs.map(cell).join(",");
    return [line(heads(table)), ...rows(table).map((r) => line([...r.cells].map(exact)))].join("\r\n") + "\r\n";
  }

  /** place is where the tools of a table go: the line above it where the page has one, otherwise the margin below. */
  function place(table: HTMLTableElement): Element {
    const box = table.closest(".scroll") ?? table;
    if (box.previousElementSibling?.matches(".tbar")) return box.previousElementSibling;
    // Without a height of its own, so that nothing on the page moves.
    const under = el("div", { class: "tunder" });
    box.after(under);
    return under;
  }

  /** enhance improves a page, or a part of it that was written later. */
  export function enhance(root: ParentNode = document): void {
    for (const pre of all("pre", root)) {
      const text = () => (pre.textContent ?? "").replace(/\n?$/, "\n");
      pre.before(el("div", { class: "tcode" }, copier("Copy", "the text", text, pre)));
    }
    for (const table of all<HTMLTableElement>("main table", root)) {
      if (!table.tHead || rows(table).length < 2) continue;
      const name = table.caption?.textContent ?? "";
      place(table).append(
        el(
          "div",
          { class: "tcopy", role: "group", "aria-label": ("Copy the table " + name).trim() },
          el("span", { "aria-hidden": "true" }, "Copy"),
          copier("Markdown", "the table as Markdown", () => markdown(table), table),
          copier("CSV", "the table as CSV", () => csv(table), table),
        ),
      );
    }
  }
}
