// Numbers that only the browser knows, as package metric of the program writes them: differences of what a
// reader chose, counts, and costs at a price of the reader's own. All others come as text.

namespace numbers {
  const thin = "\u202f";
  const minus = "\u2212";

  /** apart parts the thousands of a decimal; other texts, such as "inf", stay as they are. */
  export const apart = (s: string): string =>
    s.replace(/\d+/, (w) => (w.length > 3 ? w.replace(/\B(?=(\d{3})+$)/g, thin) : w));

  /** count writes a whole number with all of its digits. */
  export const count = (n: number): string => apart(String(n));

  /** plural writes a count with its noun. */
  export const plural = (n: number, one: string, many = one + "s"): string =>
    n === 1 ? "1 " + one : count(n) + " " + many;

  // Both round halves away from zero, of the decimal that people would write, as the program does.
  const three = new Intl.NumberFormat("en", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
  const one = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

  const round12 = (v: number): number => Number(v.toPrecision(12));

  /** format writes a number of at least 0 for readers: three significant digits, never an exponent. */
  export const format = (v: number): string =>
    v === 0 ? "0" : v < 0.001 ? "< 0.001" : three.format(round12(v)).replace(/,/g, "").replace(/^\d+/, apart);

  /** percent writes a share in a sentence: whole from 10 % on, else with one decimal. */
  export function percent(v: number): string {
    const p = round12(v * 100);
    return (p >= 9.95 ? count(Math.round(p)) : one.format(p)) + thin + "%";
  }

  /** change writes how far b is from a, with its sign: "+58 %". */
  export function change(a: number, b: number): string {
    if (a === 0) return b === 0 ? "0" + thin + "%" : "from zero";
    const c = round12((b - a) / a);
    return c > 0 ? "+" + percent(c) : c < 0 ? minus + percent(-c) : "0" + thin + "%";
  }

  /** enumerate joins words as a sentence does. */
  export const enumerate = (words: string[]): string =>
    words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1];

  /** sentence begins a text with a capital. */
  export const sentence = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1);
}
