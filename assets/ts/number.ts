// Numbers as package unit of the program writes them, for pages that compare in the browser: three
// significant digits, thousands parted by a narrow space, never an exponent, one unit a column.

namespace numbers {
  const thin = "\u202f";
  const minus = "\u2212";

  /** apart parts the thousands of a decimal. */
  export const apart = (s: string): string => s.replace(/\d+/, (w) => (w.length > 3 ? w.replace(/\B(?=(\d{3})+$)/g, thin) : w));

  /** count writes a whole number with all of its digits. */
  export const count = (n: number): string => apart(String(n));

  /** plural writes a count with its noun. */
  export const plural = (n: number, one: string, many = one + "s"): string => (n === 1 ? "1 " + one : count(n) + " " + many);

  // rounded gives the digits of a positive number and the place of the point among them. Halves go to
  // the even digit, as the program's do.
  function rounded(v: number, digits: number): [string, number] {
    const long = v.toExponential(40 > digits ? 40 : digits);
    const cut = long.indexOf("e");
    const all = long.slice(0, cut).replace(".", "");
    if (/^50*$/.test(all.slice(digits)) && Number(all[digits - 1]) % 2 === 0) return [all.slice(0, digits), Number(long.slice(cut + 1)) + 1];
    const s = v.toExponential(digits - 1), e = s.indexOf("e");
    return [s.slice(0, e).replace(".", ""), Number(s.slice(e + 1)) + 1];
  }

  /** format writes a measured number for readers. */
  export function format(v: number, digits = 3): string {
    if (Number.isNaN(v)) return "";
    const sign = v < 0 ? minus : "", a = Math.abs(v);
    if (a === Infinity) return sign + "inf";
    if (a === 0) return "0";
    if (a < 0.001) return v > 0 ? "< 0.001" : `> ${minus}0.001`;
    const [s, point] = rounded(a, digits);
    if (point <= 0) return sign + "0." + "0".repeat(-point) + s;
    if (point >= s.length) return sign + apart(s + "0".repeat(point - s.length));
    return sign + apart(s.slice(0, point) + "." + s.slice(point));
  }

  const round12 = (v: number): number => Number(v.toPrecision(12));

  /** percent writes a share in a sentence: whole from 10 % on, else with one decimal. */
  export function percent(v: number): string {
    const p = v * 100;
    return (p >= 9.95 ? count(Math.round(p)) : p.toFixed(1)) + thin + "%";
  }

  /** change writes how far b is from a, with its sign: "+58 %". */
  export function change(a: number, b: number): string {
    if (a === 0) return b === 0 ? "0" + thin + "%" : "from zero";
    const c = round12((b - a) / a);
    return c > 0 ? "+" + percent(c) : c < 0 ? minus + percent(-c) : "0" + thin + "%";
  }

  export interface Scale {
    unit: string;
    of(v: number): number;
  }

  /** scale is the one unit in which numbers of a base unit are shown together, chosen by their median. */
  export function scale(base: string, values: number[]): Scale {
    const by = (unit: string, factor: number): Scale => ({ unit, of: (v) => round12(factor < 1 ? v / Math.round(1 / factor) : v * factor) });
    if (base === "fraction") return by("%", 100);
    const sizes = values.map(Math.abs).sort((a, b) => a - b);
    const median = sizes[Math.floor(sizes.length / 2)] ?? NaN;
    if (base === "s" && median < 1e-3) return by("µs", 1e6);
    if (base === "s" && median < 1) return by("ms", 1e3);
    if (base === "s" && median >= 600) return by("min", 1 / 60);
    return { unit: base, of: (v) => v };
  }

  const superscript = (n: number): string => String(n).replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]));

  /** decimal writes a value with a number of decimals. */
  export const decimal = (v: number, d: number): string => (v < 0 && Number(v.toFixed(d)) !== 0 ? minus : "") + apart(Math.abs(v).toFixed(d));

  /** tick writes the value of a tick with the digits it needs. */
  export function tick(v: number): string {
    const a = Math.abs(v);
    if (a !== 0 && (a >= 1e13 || a < 1e-6)) return (v < 0 ? minus : "") + "10" + superscript(Math.round(Math.log10(a)));
    return (v < 0 ? minus : "") + apart(String(round12(a)));
  }

  /** enumerate joins words as a sentence does. */
  export const enumerate = (words: string[]): string => (words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1]);

  /** sentence begins a text with a capital. */
  export const sentence = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);
}
