import { deepEqual } from '../../shared/deep-equal.ts';
import { hasOwn, isRecord, ownString } from '../../shared/json.ts';
import { readSchemaOptions } from '../form/schema/read-schema-options.ts';
import { displayText, readLink } from '../text/safe-text.ts';
import type { SharedLabels } from '../text/shared-labels.ts';
import { countInside, type Described, UNREADABLE } from './describe-value.ts';
import { formatNumber, type NumberMeaning } from './format-number.ts';
import { type DateWidth, formatTime } from './format-time.ts';
import { readFile, type ShownFile } from './read-file.ts';

/** A value as a person sees it. */
export type ShownValue =
  | { readonly type: 'text'; readonly text: string }
  /** There is no value, or it is not shown: a word says so. */
  | { readonly type: 'word'; readonly text: string }
  /** A text that is folded. It is not safe to show yet, because making ten megabytes safe takes time. */
  | { readonly type: 'long-text'; readonly text: string }
  | { readonly type: 'link'; readonly href: string }
  | { readonly type: 'file'; readonly file: ShownFile }
  | { readonly type: 'entries' | 'items'; readonly count: number };

/** The labels that formatting needs. */
export type ValueLabels = Pick<SharedLabels, 'locale' | 'yes' | 'no' | 'nothing' | 'hidden' | 'unreadable'>;

/** More characters or lines than these take more than six lines of a question. */
const LONG_TEXT = 320;
const MANY_LINES = 6;

/**
 * Formats one value by its schema, in the language of the reader. A value that does not fit its schema is shown as it is, never
 * left out.
 */
export function formatValue(
  described: Described,
  labels: ValueLabels,
  dates: DateWidth = 'long',
): ShownValue {
  const { value, node, isSecret } = described;
  if (value === UNREADABLE) return { type: 'word', text: labels.unreadable };
  if (value === undefined || value === null || value === '') return { type: 'word', text: labels.nothing };
  if (isSecret) return { type: 'word', text: labels.hidden };
  const option = node && findOptionName(node, value);
  if (option !== undefined) return { type: 'text', text: option };
  switch (typeof value) {
    case 'boolean':
      return { type: 'text', text: value ? labels.yes : labels.no };
    case 'number':
    case 'bigint':
      return { type: 'text', text: formatNumber(value, readMeaning(described), labels.locale) };
    case 'string':
      return formatText(value, node, labels, dates);
    case 'object':
      return formatObject(described, labels);
    default:
      return { type: 'text', text: displayText(String(value), LONG_TEXT) };
  }
}

/** The name of an option, from `enum` or a list of constants. A name for people is what makes it worth replacing the value. */
function findOptionName(node: NonNullable<Described['node']>, value: unknown): string | undefined {
  return readSchemaOptions(node)?.find((option) => deepEqual(option.value, value))?.label;
}

function formatText(
  text: string,
  node: Described['node'],
  labels: ValueLabels,
  dates: DateWidth,
): ShownValue {
  const format = node?.format;
  if (format === 'date' || format === 'date-time' || format === 'time') {
    const time = formatTime(text, format, labels.locale, dates);
    if (time !== undefined) return { type: 'text', text: time };
  }
  if (text.length > LONG_TEXT || countLines(text) > MANY_LINES) return { type: 'long-text', text };
  const link = readLink(text);
  return link === undefined ? { type: 'text', text: displayText(text) } : { type: 'link', href: link };
}

function countLines(text: string): number {
  return text.split('\n').length;
}

function formatObject(described: Described, labels: ValueLabels): ShownValue {
  const { value, node } = described;
  const file = readFile(value, node);
  if (file !== undefined) return { type: 'file', file };
  const count = countInside(described);
  if (count === 0) return { type: 'word', text: labels.nothing };
  return { type: Array.isArray(value) ? 'items' : 'entries', count };
}

/** Reads the currency or the unit of a number. The argument beside it may name the currency. */
export function readMeaning({ node, parent }: Pick<Described, 'node' | 'parent'>): NumberMeaning {
  if (node === undefined) return {};
  const field = ownString(node, 'currencyField');
  const named = field !== undefined && isRecord(parent) && hasOwn(parent, field) ? parent[field] : undefined;
  const currency = named ?? node.currency;
  return {
    currency: typeof currency === 'string' && /^[a-z]{3}$/i.test(currency) ? currency : undefined,
    unit: ownString(node, 'unit'),
    isAmount: node.format === 'currency',
    isInteger: node.type === 'integer',
  };
}
