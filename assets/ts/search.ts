// The search box of the header: models, accelerators, cards, workloads, engines with their versions, tools, runs by id
// and pages. The index is a script of its own (site/search.go writes it), asked for when the box gets the focus; a
// request by fetch would not work from a file.

/** What scripts that only hold data call when they have loaded. */
interface Inferdex {
  search?(index: searching.Index): void;
}

interface Window {
  inferdex?: Inferdex;
}

namespace searching {
  const { beside, button, el, say } = dom;
  const { matchers, searchable } = combobox;

  /** The index: lists of short rows, so that a catalog of thousands of cards stays small. Words are further names. */
  export interface Index {
    /** name, slug, words, a note, and its cards as places in hardware */
    models: [string, string, string, string, number[]][];
    /** what cards stand on: name, slug, words */
    hardware: [string, string, string][];
    /** name, slug, words, a note */
    accelerators: [string, string, string, string][];
    /** name, words, number of runs, slug */
    engines: [string, string, number, string][];
    /** id, places in models and in hardware, -1 for none */
    runs: [string, number, number][];
    /** title, words, address below the root */
    pages: [string, string, string][];
    /** name, words, number of cells, address below the root */
    workloads: [string, string, number, string][];
    /** name, words, number of runs, address below the root */
    tools: [string, string, number, string][];
  }


  interface Hit {
    name: string;
    note: string;
    href: string;
    /** Lower is better. */
    score: number;
  }

  const root = beside("../");

  const plural = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;

  // How many results of a kind are listed.
  const most: Record<string, number> = { Models: 5, Hardware: 4, Cards: 7, Workloads: 5, Engines: 3, Tools: 3, Runs: 4, Pages: 4 };

  interface Text {
    name: string;
    all: string;
  }
  const texts = (rows: (string | number | number[])[][], ...words: number[]): Text[] =>
    rows.map((r) => ({
      name: searchable(String(r[0])),
      all: searchable(String(r[0]), ...words.map((i) => String(r[i]))),
    }));

  function finder(ix: Index): (query: string) => Record<string, Hit[]> {
    const models = texts(ix.models, 2), hardware = texts(ix.hardware, 2), accelerators = texts(ix.accelerators, 2);
    const engines = texts(ix.engines, 1), pages = texts(ix.pages, 1);
    const workloads = texts(ix.workloads, 1), tools = texts(ix.tools, 1);
    return (query) => {
      const found: Record<string, Hit[]> = Object.fromEntries(Object.keys(most).map((kind) => [kind, []]));
      const wanted = matchers(query);
      if (wanted.length === 0) return found;
      // One word against one text: 0 to 1 in the name, the earlier the better; 2 in another name of it.
      const at = (t: Text, w: RegExp): number => {
        const i = t.name.search(w);
        return i >= 0 ? i / t.name.length : w.test(t.all) ? 2 : Infinity;
      };
      const score = (t: Text): number => wanted.reduce((sum, w) => sum + at(t, w), t.name.length / 1000);
      const add = (kind: string, list: Text[], hit: (i: number) => Omit<Hit, "score">) =>
        list.forEach((t, i) => {
          const s = score(t);
          if (s < Infinity) found[kind].push({ ...hit(i), score: s });
        });
      add("Models", models, (i) => ({
        name: ix.models[i][0],
        note: ix.models[i][3],
        href: `models/${ix.models[i][1]}/index.html`,
      }));
      add("Hardware", accelerators, (i) => ({
        name: ix.accelerators[i][0],
        note: ix.accelerators[i][3],
        href: `hardware/${ix.accelerators[i][1]}/index.html`,
      }));
      add("Workloads", workloads, (i) => ({
        name: ix.workloads[i][0],
        note: plural(ix.workloads[i][2], "cell"),
        href: ix.workloads[i][3],
      }));
      add("Tools", tools, (i) => ({ name: ix.tools[i][0], note: plural(ix.tools[i][2], "run"), href: ix.tools[i][3] }));
      add("Engines", engines, (i) => ({
        name: ix.engines[i][0],
        note: plural(ix.engines[i][2], "run"),
        href: `engines/${ix.engines[i][3]}/index.html`,
      }));
      add("Pages", pages, (i) => ({ name: ix.pages[i][0], note: "", href: ix.pages[i][2] }));
      // A run is found by the beginning of its id.
      const id = query.trim().toLowerCase().replace(/^run\s+/, "");
      if (id.length > 2)
        for (const [run, m, h] of ix.runs) {
          if (!run.startsWith(id)) continue;
          const of = [ix.models[m]?.[0], ix.hardware[h]?.[0]].filter(Boolean).join(" on ");
          found.Runs.push({ name: "run " + run, note: of, href: `runs/${run}/index.html`, score: run.length });
        }
      // A card is found where each word is in its model or in its hardware.
      const inModel = models.map((t) => wanted.map((w) => at(t, w)));
      const inHardware = hardware.map((t) => wanted.map((w) => at(t, w)));
      ix.models.forEach((m, i) => {
        for (const h of m[4]) {
          const s = wanted.reduce((sum, _, k) => sum + Math.min(inModel[i][k], inHardware[h][k]), 0);
          const href = `cards/${m[1]}-on-${ix.hardware[h][1]}/index.html`;
          if (s < Infinity) found.Cards.push({ name: `${m[0]} on ${ix.hardware[h][0]}`, note: "", href, score: s });
        }
      });
      for (const kind in found) found[kind].sort((a, b) => a.score - b.score);
      return found;
    };
  }

  // The key / is one character, so there is a way to turn it off (WCAG 2.1.4).
  const off = "inferdex-no-slash";
  const remembered = {
    get: (): boolean => {
      try {
        return localStorage.getItem(off) !== null;
      } catch {
        return false;
      }
    },
    set: (v: boolean): void => {
      try {
        if (v) localStorage.setItem(off, "1");
        else localStorage.removeItem(off);
      } catch {
        // nothing is stored where the browser does not allow it
      }
    },
  };

  export function enhance(): void {
    const box = document.querySelector<HTMLElement>("header.site .search");
    if (!box) return;
    box.setAttribute("role", "search");
    const input = box.querySelector("input") ?? el("input", {
      type: "text", name: "search", placeholder: "Search models and hardware",
      "aria-label": "Search models, hardware, cards, workloads, engines, tools, runs and pages",
      autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go",
    });
    box.append(input);
    const list = el("div", { role: "listbox", id: "search-results", "aria-label": "Search results" });
    const status = el("p", { class: "sinfo" });
    let slash = !remembered.get();
    const slashText = () => `Key / goes to this box: ${slash ? "on" : "off"}`;
    const toggle = button(slashText(), (b) => {
      remembered.set(slash);
      slash = !slash;
      b.textContent = slashText();
    }, { class: "act" });
    const popup = el("div", { class: "spop", hidden: true }, list, el("div", { class: "sfoot" }, status, toggle));
    box.append(popup);

    let find: ((query: string) => Record<string, Hit[]>) | undefined;
    const show = () => {
      const query = input.value.trim();
      results.clear();
      if (!query) return results.open(false);
      results.open(true);
      if (!find) return void (status.textContent = "Loading the index…");
      let left = 0;
      const found = find(query);
      for (const kind in found) {
        const hits = found[kind];
        if (hits.length === 0) continue;
        const heading = el("p", { class: "skind", "aria-hidden": "true" }, kind);
        const group = el("div", { role: "group", "aria-label": kind }, heading);
        for (const h of hits.slice(0, most[kind])) {
          const id = "search-" + results.options.length;
          const about = { role: "option", id, href: root + h.href, tabindex: "-1", "aria-selected": "false" };
          const o = el("a", about, h.name);
          if (h.note) o.append(" ", el("span", {}, h.note));
          results.options.push(o);
          group.append(o);
        }
        left += Math.max(0, hits.length - most[kind]);
        list.append(group);
      }
      const n = results.options.length;
      status.textContent = n === 0 ? "Nothing has such a name." : left > 0 ? `${left} more: add a word` : "";
      say(n === 0 ? "no results" : `${n + left} results`);
    };
    const results = combobox.make(box, input, popup, list, show);
    list.addEventListener("click", () => results.open(false));

    let asked = false;
    const load = () => {
      if (asked) return;
      asked = true;
      (window.inferdex ??= {}).search = (ix) => {
        find = finder(ix);
        if (document.activeElement === input) show();
      };
      const s = el("script", { src: beside("search.js") });
      s.onerror = () => {
        asked = false; // the next focus tries again
        status.textContent = "The index did not load.";
      };
      document.head.append(s);
    };

    input.addEventListener("focus", load);
    document.addEventListener("keydown", (e) => {
      if (e.key !== "/" || !slash || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
      if ((e.target as Element).closest?.("input, textarea, select, [contenteditable]")) return;
      e.preventDefault();
      input.focus();
      input.select();
    });
  }
}
