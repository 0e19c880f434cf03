import type { FieldOption } from '../../text/read-options.ts';
import { displayText } from '../../text/safe-text.ts';
import type { NumberField, ScaleField } from './form-field.ts';
import type { Base } from './json-schema.ts';

/** More segments than these do not fit side by side. */
const MAX_VALUES = 7;

/** Returns a scale for a range of a few whole numbers, or undefined for any other number. */
export function toScale(field: NumberField): ScaleField | undefined {
  const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = field;
  const isQuantity =
    field.currency !== undefined || field.unit !== undefined || field.currencyFrom !== undefined;
  if (!integer || isQuantity || field.secret || !Number.isInteger(multipleOf) || multipleOf < 1)
    return undefined;
  const from = Math.max(minimum ?? -Infinity, (exclusiveMinimum ?? -Infinity) + 1);
  const to = Math.min(maximum ?? Infinity, (exclusiveMaximum ?? Infinity) - 1);
  const first = Math.ceil(from / multipleOf) * multipleOf;
  const count = Math.floor((to - first) / multipleOf) + 1;
  if (!(count >= 2 && count <= MAX_VALUES)) return undefined;
  const values = Array.from({ length: count }, (_, index) => first + index * multipleOf);
  const { kind: _kind, integer: _integer, ...base } = field;
  return withEnds({ ...pickBase(base), kind: 'scale', values });
}

/** Returns a scale for options that are whole numbers, of which at most the ends have words: segments have no room for others. */
export function optionsToScale(options: readonly FieldOption[], base: Base): ScaleField | undefined {
  if (options.length < 2 || options.length > MAX_VALUES) return undefined;
  const values = options.map(({ value }) => value);
  const isAscending = values.every(
    (value, index): boolean =>
      Number.isSafeInteger(value) && (index === 0 || Number(value) > Number(values[index - 1])),
  );
  const words = options.map(({ value, label }) => (label === String(value) ? undefined : label));
  const isBare = words.every(
    (word, index) => word === undefined || (words.length > 2 && isEnd(index, words)),
  );
  const isDescribed = options.some(({ description }) => description !== undefined);
  if (!isAscending || !isBare || isDescribed) return undefined;
  const scale = { ...base, kind: 'scale', values: values as readonly number[] } as const;
  const [low, high] = [words[0], words.at(-1)];
  return low === undefined && high === undefined ? withEnds(scale) : { ...scale, low, high };
}

function isEnd(index: number, list: readonly unknown[]): boolean {
  return index === 0 || index === list.length - 1;
}

function pickBase({
  label,
  description,
  required,
  nullable,
  defaultValue,
  suspect,
}: Omit<NumberField, 'kind' | 'integer'>) {
  return {
    label,
    description,
    required,
    ...(nullable !== undefined && { nullable }),
    ...(defaultValue !== undefined && { defaultValue }),
    ...(suspect !== undefined && { suspect }),
  };
}

/** Finds the words of the ends in a description such as "From 1 (poor) to 5 (great)" or "1 = poor, 5 = great". */
function withEnds(scale: ScaleField): ScaleField {
  const { description = '', values } = scale;
  const [low, high] = [values[0], values.at(-1)].map((value) => findWord(description, value ?? 0));
  if (low === undefined || high === undefined) return scale;
  // The description stays where it says more than that.
  const rest = description.replace(low.found, '').replace(high.found, '');
  const isSaid = /^(?:from|to|and|von|bis|und|[\s.,;:–-])*$/i.test(rest);
  return {
    ...scale,
    description: isSaid ? undefined : description,
    low: displayText(low.word),
    high: displayText(high.word),
  };
}

function findWord(description: string, value: number): { found: string; word: string } | undefined {
  const pattern = new RegExp(
    String.raw`(?<![\d.-])${value}\s*(?:\(([^()]{1,40})\)|[=:]\s*([^\d,;.()]{1,40}))`,
  );
  const [found, inBrackets, afterSign] = pattern.exec(description) ?? [];
  const word = (inBrackets ?? afterSign ?? '').trim();
  if (found === undefined || word === '') return undefined;
  return { found, word: word.charAt(0).toUpperCase() + word.slice(1) };
}
