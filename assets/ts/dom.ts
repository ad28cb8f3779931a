// What the parts of the script share: making elements, and telling what happened to people who
// hear the page.

namespace dom {
  // Where this script was loaded from. It is known only while the script runs for the first time.
  const self = document.currentScript as HTMLScriptElement | null;

  /** beside is the address of a file that lies beside this script, whatever page it runs on. */
  export const beside = (name: string): string => (self ? new URL(name, self.src).href : name);

  type Attributes = Record<string, string | boolean | undefined>;

  /** el makes an element. An attribute that is false or undefined is left out, true is empty. */
  export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[K] {
    const e = document.createElement(tag);
    for (const k in attributes) {
      const v = attributes[k];
      if (v !== false && v !== undefined) e.setAttribute(k, v === true ? "" : v);
    }
    e.append(...children);
    return e;
  }

  /** button makes a button that does nothing but call f. */
  export function button(
    text: string,
    f: (b: HTMLButtonElement) => void,
    attributes: Attributes = {},
  ): HTMLButtonElement {
    const b = el("button", { type: "button", ...attributes }, text);
    b.addEventListener("click", () => f(b));
    return b;
  }

  /** table makes a table in its scrolling region, which a wide one keeps on every screen. */
  export const table = (cls: string, caption: string, heads: Node[], rows: Node[], wide = false): HTMLElement =>
    el(
      "div",
      { class: wide ? "scroll always" : "scroll", role: "region", tabindex: "0", "aria-label": caption },
      el(
        "table",
        { class: "d " + cls },
        el("caption", { class: "vh" }, caption),
        el("thead", {}, el("tr", {}, ...heads)),
        el("tbody", {}, ...rows),
      ),
    );

  /** missing stands where a value is not there, with the reason in words. */
  export const missing = (reason: string): HTMLElement[] => [
    el("span", { "aria-hidden": "true" }, "·"),
    el("span", { class: "vh" }, reason),
  ];

  /** all lists the elements that match a selector. */
  export const all = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E[] => [
    ...root.querySelectorAll<E>(selector),
  ];

  /** fold is a text without what does not tell words apart: case and accents. */
  export const fold = (s: string): string => s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  let live: HTMLElement | undefined;

  /** say has a screen reader speak a text when it has nothing else to say. */
  export function say(text: string): void {
    if (!live) document.body.append((live = el("div", { class: "vh", role: "status" })));
    // The same text twice is spoken twice only where it changes.
    live.textContent = live.textContent === text ? text + "\u00a0" : text;
  }
}
