// Raw records on the pages of runs, cards and models: gzip, written in base64. Those of small runs stand packed in the
// page itself, all runs one after the other; data-lines says which lines are those of a run. Those of larger ones lie in
// scripts beside the page of their run, because a browser loads nothing else from a folder: records-1.js and so on, each of which
// calls inferdex.records with a part of them. This script is one of its own, made of dom.ts, packed.ts and this file, and loaded
// when a reader turns to the records (later.ts).

interface Inferdex {
  records?(packed: string): void;
}

namespace records {
  const { all, button, el, say } = dom;
  const { unpacked } = packing;

  // takers are what is to be done with the records that a script brings.
  const takers = new Map<Element, (packed: string) => void>();

  // step is how much text is shown at a time, and the most that is shown of one record, in characters.
  const step = 1 << 16;

  // held is what a page holds packed, once it is asked for.
  const held = new Map<Element, Promise<string[]>>();

  // within are the lines of what the page holds for a box.
  async function within(box: HTMLElement): Promise<string[]> {
    const all = box.closest<HTMLElement>("[data-packed]")!;
    if (!held.has(all)) held.set(all, unpacked(all.dataset.packed!).then((text) => text.split("\n")));
    const [from, to] = box.dataset.lines!.split("-").map(Number);
    return (await held.get(all)!).slice(from, to);
  }

  function start(box: HTMLElement): void {
    const first = box.dataset.src;
    const parts = Number(box.dataset.parts ?? 1);
    const out = el("pre", { class: "raw", tabindex: "0" });
    let next = 1; // the part that is to be loaded
    let rest: string[] = []; // lines that are loaded and not shown

    const failed = () => {
      box.hidden = false;
      say("The records did not load.");
    };

    function show(): void {
      let text = "";
      while (rest.length > 0 && text.length < step) {
        const line = rest.shift()!;
        text += line.length <= step ? line + "\n" : line.slice(0, step) + "… cut: the download has all of it\n";
      }
      out.append(text);
      more.hidden = rest.length === 0 && next > parts;
    }

    function load(): void {
      if (!first) return void within(box).then(took, failed);
      const s = el("script", { src: first.replace("-1.js", `-${next}.js`) });
      takers.set(s, take);
      s.onerror = failed;
      s.onload = () => s.remove();
      document.head.append(s);
    }

    const more = button("Show more", () => (rest.length > 0 ? show() : load()), { class: "act" });
    const took = (lines: string[]) => {
      next++;
      rest = lines;
      if (!out.parentNode) {
        box.hidden = true;
        box.after(out, more);
      }
      show();
    };
    const take = (packed: string) => {
      unpacked(packed).then((text) => took(text.split("\n").slice(0, -1)), failed); // one stands behind the last line end
    };
    load();
  }

  (window.inferdex ??= {}).records = (packed) => takers.get(document.currentScript!)?.(packed);
  for (const box of all("p.records")) {
    const details = box.closest("details")!;
    if (details.open) start(box);
    else details.addEventListener("toggle", () => start(box), { once: true });
  }
}
