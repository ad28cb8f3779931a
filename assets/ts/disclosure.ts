// <details>: opened where they hold what a link points to, and on paper.

namespace disclosure {
  const { all } = dom;

  // reveal opens what hides the target of the address, and goes there.
  function reveal(): void {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // not an encoded name: it may be an id all the same
    }
    const target = id && document.getElementById(id);
    if (!target) return;
    let closed = false;
    for (let e: Element | null = target; e; e = e.parentElement) {
      if (e instanceof HTMLDetailsElement && !e.open) closed = e.open = true;
    }
    if (closed) target.scrollIntoView();
  }

  export function enhance(): void {
    reveal();
    addEventListener("hashchange", reveal);
    // A second click on the same link changes no address.
    document.addEventListener("click", (e) => {
      const a = (e.target as Element).closest?.("a");
      if (a && a.hash && a.href === location.href) reveal();
    });
    let opened: HTMLDetailsElement[] = [];
    addEventListener("beforeprint", () => {
      opened = all<HTMLDetailsElement>("details:not([open])");
      for (const d of opened) d.open = true;
    });
    addEventListener("afterprint", () => {
      for (const d of opened) d.open = false;
    });
  }
}
