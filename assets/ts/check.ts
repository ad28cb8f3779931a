// The page that reads files of its readers (layouts/check.html): what the reader says of them, all of it. It is text of
// foreign files: it becomes text nodes and nothing else. The script is made of dom.ts, reported.ts, drop.ts and this file.

namespace check {
  const { all, el, table } = dom;

  type Report = reported.Report;
  const { capped, clip, count, group, most, number, section } = reported;

  function measured(t: reported.Table): HTMLElement {
    const heads = t.heads.map((h, i) =>
      el("th", { scope: "col", class: i ? "n" : undefined }, h.name, h.unit ? el("span", { class: "u" }, " " + h.unit) : ""),
    );
    const rows = t.rows
      .slice(0, most.rows)
      .map((cells) =>
        el(
          "tr",
          {},
          ...cells.map((c, i) =>
            i ? el("td", { class: "n", title: c.exact }, ...(c.text ? [c.text] : dom.missing("not recorded"))) : el("th", { scope: "row" }, c.text),
          ),
        ),
      );
    const shown = table("compact", t.title, heads, rows);
    if (t.rows.length > most.rows) shown.append(el("p", { class: "mut" }, `And ${number(t.rows.length - most.rows)} more loads.`));
    return shown;
  }

  function runs(r: Report): HTMLElement {
    const wrong = group(r.findings, (f) => f.run);
    const one = (run: reported.Run) => {
      const lacks = run.missing ?? [];
      const box = el(
        "div",
        {},
        el("h3", {}, `${run.model || "Model not recorded"} on ${run.hardware || "hardware not recorded"}`),
        el("p", {}, [run.engine, run.tool && `measured with ${run.tool}`, run.started, count(run.points, "measured point")].filter(Boolean).join(", ") + "."),
      );
      if (lacks.length) box.append(el("p", {}, el("span", { class: "flag" }, "Not recorded"), " " + lacks.join(", ")));
      const of = wrong.get(run.id) ?? [];
      if (of.length) box.append(el("ul", { class: "list" }, ...reported.ofRuns(r, of)));
      for (const t of (run.tables ?? []).slice(0, most.lines)) box.append(el("p", {}, t.title), measured(t));
      const stored = el("details", {}, el("summary", {}, "The run as a catalog would store it"));
      stored.addEventListener("toggle", () => stored.append(el("pre", { class: "raw", tabindex: "0" }, clip(run.stored))), { once: true });
      box.append(stored);
      return box;
    };
    const list = r.runs ?? [];
    return section("runs", list.length === 1 ? "The run" : count(list.length, "run"), ...capped(list, most.runs, one, "p"));
  }

  /** lines are lines to paste, below the file that they belong into. */
  const lines = (file: string, text: string, why: string) =>
    el("div", {}, el("p", {}, el("code", {}, file), ": " + why), el("pre", { tabindex: "0" }, clip(text)));

  function report(r: Report, formats: string): HTMLElement[] {
    const out = [reported.files(r, formats)];
    if (r.runs?.length) out.push(runs(r));
    const gone = reported.removed(r);
    if (gone) out.push(gone);
    const gaps = r.gaps ?? [];
    if (gaps.length)
      out.push(section("supply", "What no file says", ...capped(gaps, most.lines,
        (g) => lines(g.file, g.toml, `${count(g.runs, "run")} without ${g.missing.join(", ")}. These lines would supply it.`), "p")));
    const names = r.unlisted ?? [];
    if (names.length)
      out.push(section("unlisted", "Names in no list", el("p", {}, "Published all the same, as they are written. These lines would list them."),
        ...capped(names, most.lines, (u) => lines(u.file, u.toml, u.name), "p")));
    return out;
  }

  function start(app: HTMLElement): void {
    const result = el("div", { id: "check-result", "aria-busy": "false" });
    const { box, pack } = dropping.make({
      data: app.dataset,
      invitation: "Drop result files, a folder or a zip anywhere on this page",
      afterwards: "nothing is asked for once the reader is here",
      command: "inferdex init tried && inferdex -C tried ingest --verbose results/",
      started: () => result.replaceChildren(),
      failed: () => {},
      busy: (is) => result.setAttribute("aria-busy", String(is)),
      async read(r) {
        result.replaceChildren(...report(r, app.dataset.formats!), ...dropping.submission(app.dataset, r, pack));
        return dropping.summary(r);
      },
    });
    app.append(box, result);
  }

  for (const app of all("#check-app")) start(app);
}
