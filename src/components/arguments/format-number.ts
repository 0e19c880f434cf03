import { displayText } from '../text/safe-text.ts';

/** The meaning of a number, as its schema tells it. */
export interface NumberMeaning {
  /** The code of its currency, such as `EUR`. */
  readonly currency?: string | undefined;
  readonly unit?: string | undefined;
  /** It is an amount of money, also where nobody says of which currency. */
  readonly isAmount?: boolean | undefined;
  readonly isInteger?: boolean | undefined;
}

/** Integers may be numbers of orders or years. A number with a fraction is a quantity, so a large one gets its groups. */
const GROUPED_FROM = 10_000;

/** Writes a number for people, with all of its digits: a rounded amount would not be the one that is paid. */
export function formatNumber(
  value: number | bigint,
  { currency, unit, isAmount = false, isInteger = false }: NumberMeaning,
  locale: string | undefined,
): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'number' && !hasPlainDigits(value))
    return withMeasure(String(value), currency ?? unit);
  const isLarge = value >= GROUPED_FROM || value <= -GROUPED_FROM;
  const isMeasured = isAmount || currency !== undefined || unit !== undefined;
  const write = (options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(locale, {
      maximumFractionDigits: 20,
      useGrouping: isMeasured || (!isInteger && isLarge),
      ...options,
    }).format(value);
  try {
    if (currency !== undefined) return write({ style: 'currency', currency });
    if (unit !== undefined) return write({ style: 'unit', unit, unitDisplay: 'long' });
  } catch {
    // `kg` is a unit for people, but none that a browser knows by name. A currency has three letters.
  }
  return withMeasure(write(), unit);
}

function withMeasure(number: string, measure: string | undefined): string {
  return measure === undefined ? number : `${number}\u00a0${displayText(measure, 20)}`;
}

/** A browser writes a very small number as 0, and a very large one with digits that the number does not have. */
function hasPlainDigits(value: number): boolean {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-6 && size < 1e21);
}

/** Returns the sign of a currency, or undefined for a code that is none. */
export function currencySign(currency: string | undefined, locale: string | undefined): string | undefined {
  if (currency === undefined) return undefined;
  try {
    const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
    return parts.find(({ type }) => type === 'currency')?.value;
  } catch {
    return undefined;
  }
}
