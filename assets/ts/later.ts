// A script that only few readers of a page need is loaded when they turn to what it serves: the
// element with the id X, where the page has <meta name="X-script" content="address">. It is also
// loaded where the address of the page says what is to be shown there.

namespace later {
  const { all, el } = dom;

  export function enhance(): void {
    for (const meta of all<HTMLMetaElement>("meta[name$='-script']")) {
      const box = document.getElementById(meta.name.slice(0, -7));
      if (!box) continue;
      let asked = false;
      const load = () => {
        if (asked) return;
        asked = true;
        document.head.append(el("script", { src: meta.content }));
      };
      for (const e of ["focusin", "pointerenter", "touchstart", "toggle", "input", "change"])
        box.addEventListener(e, load, { once: true, passive: true, capture: true });
      // Browsers fill in what was chosen before the page was left.
      if (box.querySelector<HTMLSelectElement>("select[name=model]")?.value) load();
      const named = () => (location.search + location.hash).includes("=") && load();
      addEventListener("hashchange", named);
      named();
    }
  }
}
