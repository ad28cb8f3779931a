// The parameter diff of any number of runs. Effective values and what is equal to what are decided by
// the program (ingest/compare/side.go); here texts are compared. side_test.go has this very
// function in Go and holds it to what pages of pairs show.

namespace parameters {
  /** States as ingest/compare numbers them. */
  export const enum State {
    Absent,
    Value,
    Null,
    UnknownToVersion,
    Redacted,
  }

  /**
   * kind, name, owner, state, effective value, key where it is another, key beside the text of a page, 1 for the text
   * of a page
   */
  export type Row = [string, string, string, State, (string | null)?, (string | null)?, (string | null)?, number?];

  export interface Version {
    name: string;
    defaults: Row[];
    listed?: boolean;
    unsure?: string[];
    dumped?: boolean;
    recorded?: string[];
  }

  export interface Side {
    rows: Row[];
    /** Whether any launch argument is recorded. */
    recorded: boolean;
    version?: Version;
  }

  export interface Cell {
    state: State;
    /** Missing where it is not known. */
    value?: string;
    key?: string;
    textKey?: string;
    text?: boolean;
    byDefault?: boolean;
  }

  export interface Line {
    kind: string;
    name: string;
    owner: string;
    cells: Cell[];
  }

  export interface Diff {
    differs: Line[];
    oneVersion: Line[];
    unclear: Line[];
    same: Line[];
  }

  function cell(r: Row | undefined): Cell {
    if (!r) return { state: State.Absent };
    const c: Cell = { state: r[3] };
    if (r[4] !== null && r[4] !== undefined) {
      c.value = r[4];
      c.key = r[5] ?? r[4];
      c.textKey = r[6] ?? c.key;
      c.text = r[7] === 1;
    }
    return c;
  }

  const order = ["system", "argument", "wrapper", "environment", "client"];

  /**
   * diff sorts the parameters of runs by whether their effective values differ. system is the order of what is no
   * parameter.
   */
  export function diff(sides: Side[], system: string[]): Diff {
    const id = (r: Row) => r.slice(0, 3).join("\0");
    const lines = new Map<string, Line>();
    const recorded = sides.map((s) => new Map(s.rows.map((r) => [id(r), r])));
    const defaults = sides.map((s) => new Map((s.version?.defaults ?? []).map((r) => [r[1], r])));
    for (const s of sides)
      for (const r of s.rows)
        if (!lines.has(id(r))) lines.set(id(r), { kind: r[0], name: r[1], owner: r[2], cells: [] });
    const out: Diff = { differs: [], oneVersion: [], unclear: [], same: [] };
    for (const [key, line] of lines) {
      sides.forEach((s, i) => {
        const own = recorded[i].get(key),
          v = s.version;
        let c = cell(own);
        if (line.kind === "argument" && v && (!own || c.state === State.Null)) {
          const d = defaults[i].get(line.name);
          const unsure = !d && (!v.listed || !!v.unsure?.includes(line.name));
          if (d && (own || s.recorded)) c = { ...cell(d), state: c.state, byDefault: true };
          else if (!own && !d && (unsure ? v.dumped && !v.recorded?.includes(line.name) : s.recorded))
            c.state = State.UnknownToVersion;
        }
        line.cells.push(c);
      });
      const text = line.cells.some((c) => c.text);
      const known = line.cells.filter((c) => c.value !== undefined);
      const keys = new Set(known.map((c) => (text ? c.textKey : c.key)));
      const unknown = line.cells.filter((c) => c.state === State.UnknownToVersion).length;
      const to =
        keys.size > 1
          ? out.differs
          : unknown > 0 && unknown < sides.length
            ? out.oneVersion
            : known.length < sides.length
              ? out.unclear
              : out.same;
      to.push(line);
    }
    const rank = (l: Line) => order.indexOf(l.kind);
    for (const list of [out.differs, out.oneVersion, out.unclear, out.same]) {
      list.sort(
        (a, b) =>
          rank(a) - rank(b) ||
          (a.kind === "system"
            ? system.indexOf(a.name) - system.indexOf(b.name)
            : a.name < b.name
              ? -1
              : a.name > b.name
                ? 1
                : 0),
      );
    }
    return out;
  }
}
