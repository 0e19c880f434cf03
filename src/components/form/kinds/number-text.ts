/** Numbers as people type and read them: with a decimal comma or a decimal point, and with marks between thousands. */

const SHAPE = /^([+-]?)(\d[\d.,'’\s]*|[.,]\d+)(e[+-]?\d+)?$/i;
/** Groups of three digits with one and the same mark between them. */
const GROUPED = /^[1-9]\d{0,2}([.,'’\s])\d{3}(?:\1\d{3})*$/;
/** `1,234` is a thousand and more for one person, and one and a bit for another. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** How a text of a number can be understood. */
export type ReadNumber =
  | { readonly value: number }
  /** The text is no number, or nobody can tell which one. */
  | { readonly refused: 'no-number' | 'ambiguous' };

/**
 * Reads a number in either spelling. Where both are possible, that of the locale counts.
 *
 * @param currency the code of an amount's currency. `1.234` is no amount of a currency with two digits behind the point.
 */
export function readNumber(text: string, locale: string | undefined, currency?: string): ReadNumber {
  const [, sign = '', body = '', exponent = ''] = SHAPE.exec(text.trim().replace('\u2212', '-')) ?? [];
  const place = findDecimalMark(body, locale, currency);
  if (place === 'ambiguous') return { refused: place };
  const [whole, fraction] = place === -1 ? [body, ''] : [body.slice(0, place), body.slice(place + 1)];
  const digits = GROUPED.test(whole) ? whole.replace(/\D/g, '') : whole;
  const isNumber = /^\d*$/.test(digits) && /^\d*$/.test(fraction) && digits + fraction !== '';
  return isNumber
    ? { value: Number(`${sign}${digits || '0'}.${fraction || '0'}${exponent}`) }
    : { refused: 'no-number' };
}

/** Returns the place of the decimal mark in digits and marks, or -1 if there is none. */
function findDecimalMark(
  body: string,
  locale: string | undefined,
  currency: string | undefined,
): number | 'ambiguous' {
  const last = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','));
  const mark = body.charAt(last);
  if (last === -1 || body.indexOf(mark) < last) return -1;
  if (!AMBIGUOUS.test(body)) return last;
  const { decimal, group } = marksOf(locale);
  if (mark === group) return -1;
  return mark === decimal && (currency === undefined || digitsOf(currency) > 2) ? last : 'ambiguous';
}

/** Writes a number in the spelling of the locale, without marks between thousands; an amount with the digits of its currency. */
export function writeNumber(value: number, locale: string | undefined, currency?: string): string {
  const size = Math.abs(value);
  // A browser writes a small number as 0, and a large one with digits that the number does not have.
  if (size !== 0 && (size < 1e-6 || size >= 1e15)) return String(value);
  return new Intl.NumberFormat(locale, {
    numberingSystem: 'latn',
    useGrouping: false,
    minimumFractionDigits: currency === undefined ? 0 : digitsOf(currency),
    maximumFractionDigits: 20,
  }).format(value);
}

/** Returns the text of a number in the form values, which is read back as this number whatever the locale. */
export function toNumberText(value: number): string {
  const text = String(value);
  return AMBIGUOUS.test(text.replace('-', '')) ? `${text}0` : text;
}

function marksOf(locale: string | undefined) {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(12_345_678.5);
  const find = (type: string) => parts.find((part) => part.type === type)?.value;
  return { decimal: find('decimal'), group: find('group') };
}

/** The digits behind the point that an amount has. */
function digitsOf(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  );
}
