/** A text for each plural form of a language, `{n}` for the number. A form that is left out is `other`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Returns the text for a number, in the plural form that the language has for it. */
export function plural(locale: string, count: number, forms: PluralForms): string {
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return form.replaceAll('{n}', new Intl.NumberFormat(locale).format(count));
}

/** Joins names by the word for "and". */
export function joinNames(locale: string, names: readonly string[]): string {
  return new Intl.ListFormat(locale).format(names);
}

/** Keeps the direction of a name to itself: its letters and signs do not change places with those of the text around it. */
export function isolate(name: string): string {
  return name === '' ? '' : `\u2068${name}\u2069`;
}

/**
 * The text of a language that is written from right to left. Names, amounts and addresses in it keep their own direction: without that,
 * the Latin name of an agent and the address beside it would be read as one, in the wrong order.
 */
export function rtl(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const apart = values.map((value) => (typeof value === 'string' ? isolate(value) : value));
  return String.raw({ raw: texts }, ...apart);
}

/** A time left below a day: `9:05`, `1:09:05`. Rounded down, so that it never promises more time than is left. */
export function formatClock(seconds: number): string {
  return new Date(seconds * 1_000)
    .toISOString()
    .slice(11, 19)
    .replace(/^(00:)?0?/, '');
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** The size of a file, in decimal units, with the sign that the language has for the unit. */
export function formatBytes(locale: string, bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1_000;
    unit += 1;
  }
  const maximumFractionDigits = amount < 10 && unit > 0 ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: UNITS[unit], maximumFractionDigits }).format(
    amount,
  );
}

/** The duration of a run, in milliseconds below a second. */
export function formatDuration(locale: string, milliseconds: number): string {
  const [unit, amount] =
    milliseconds < 1_000 ? ['millisecond', Math.round(milliseconds)] : ['second', milliseconds / 1_000];
  return new Intl.NumberFormat(locale, { style: 'unit', unit: `${unit}`, maximumFractionDigits: 1 }).format(
    Number(amount),
  );
}
