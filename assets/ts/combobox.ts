// A text field with a list of results below it, as the search of the header and the choice of runs
// are: what stands in the list and what an option does is theirs; opening, closing and keys are here.

namespace combobox {
  const { fold } = dom;

  /**
   * searchable is a text with letters and digits apart, as words are looked for: "a100" is found by "100", "llama3.3"
   * by "llama 3.3".
   */
  export const searchable = (...s: string[]): string => " " + fold(s.join(" ")).replace(/(\p{L})(?=\p{N})/gu, "$1 ");

  // matcher finds a word at the beginning of a word, whatever stands between its letters and digits.
  const matcher = (word: string): RegExp =>
    new RegExp("[^\\p{L}\\p{N}]" + (word.match(/[\p{L}\p{N}]/gu) ?? []).join("[^\\p{L}\\p{N}]*"), "u");

  // Words that join others say nothing of their own: "llama 3.1 8b on h100".
  const joining = new Set("on with for in of at and the to vs versus against".split(" "));

  /** matchers finds each of the first eight words of a query in a searchable text. */
  export const matchers = (query: string): RegExp[] => {
    const all = fold(query)
      .split(/[\s,;/]+/)
      .filter((w) => /[\p{L}\p{N}]/u.test(w));
    const own = all.filter((w) => !joining.has(w));
    return (own.length > 0 ? own : all).slice(0, 8).map(matcher);
  };

  export interface Combobox {
    /** What can be chosen now, in its order; Enter clicks the current one, or the first. */
    options: HTMLElement[];
    /** clear takes all options out of the list. */
    clear(): void;
    /** open shows the list, or hides it. */
    open(yes: boolean): void;
  }

  /** make has the input search: show fills the list. The popup lies in the box, the list in the popup. */
  export function make(
    box: HTMLElement,
    input: HTMLInputElement,
    popup: HTMLElement,
    list: HTMLElement,
    show: () => void,
  ): Combobox {
    let current = -1;
    const choose = (i: number) => {
      c.options[current]?.setAttribute("aria-selected", "false");
      current = i;
      const o = c.options[i];
      if (!o) return input.removeAttribute("aria-activedescendant");
      o.setAttribute("aria-selected", "true");
      o.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", o.id);
    };
    const c: Combobox = {
      options: [],
      clear: () => {
        choose(-1);
        list.textContent = "";
        c.options = [];
      },
      open: (yes) => {
        popup.hidden = !yes;
        input.setAttribute("aria-expanded", String(yes));
        if (!yes) choose(-1);
      },
    };
    for (const [k, v] of Object.entries({
      role: "combobox",
      "aria-expanded": "false",
      "aria-controls": list.id,
      "aria-autocomplete": "list",
    }))
      input.setAttribute(k, v);
    input.addEventListener("input", show);
    input.addEventListener("click", () => popup.hidden && show());
    box.addEventListener("focusout", (e) => {
      if (!box.contains(e.relatedTarget as Node | null)) c.open(false);
    });
    // The box keeps the focus where an option is pressed.
    list.addEventListener("mousedown", (e) => e.preventDefault());
    box.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && !popup.hidden) {
        e.preventDefault(); // the text stays for another try
        c.open(false);
        input.focus();
      }
    });
    input.addEventListener("keydown", (e) => {
      const n = c.options.length;
      if (e.isComposing) return;
      if ((e.key === "ArrowDown" || e.key === "ArrowUp") && !e.altKey) {
        e.preventDefault();
        if (popup.hidden) show();
        else if (n > 0) choose(e.key === "ArrowDown" ? (current + 1) % n : (current <= 0 ? n : current) - 1);
      } else if (e.key === "Enter" && !popup.hidden && n > 0) {
        e.preventDefault();
        c.options[Math.max(current, 0)].click();
      }
    });
    return c;
  }
}
