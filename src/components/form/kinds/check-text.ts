import { formatTime } from '../../arguments/format-time.ts';
import { displayText } from '../../text/safe-text.ts';
import type { TextField, TextFormat } from '../schema/form-field.ts';
import type { Checked } from './leaf-kind.ts';
import { padHour, toLocalTime, toTimeWithOffset } from './local-times.ts';
import type { FormRoomLabels } from './use-form-labels.ts';

/** A local part, an @, and a host with a dot: finds typing mistakes and accepts every real address. */
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?/;
/** Limits beyond which only the receiver of the value checks the pattern: an agent's pattern must not stop the page. */
const MAX_PATTERN_LENGTH = 300;
const MAX_TESTED_LENGTH = 1_000;
/** A test of `a*a*b` takes as many steps as the square of the text's length, one of `a*a*a*b` as many as its cube. */
const MAX_STEPS = 1e7;
const REPETITION = /[*+]|[^(]\?|\{\d+,/g;
/**
 * A group that is repeated and varies, as in `^(a+)+$`, may take three times as many steps with each character of the text, so only a short
 * text is tested.
 */
const MAX_TESTED_BY_REPEATED_GROUP = 16;
const REPEATED_GROUP = /(?:[*+|]|[^(]\?|\{\d+,).*\)(?:[*+]|\{\d+,|\{\d{2})/s;

/** Checks the text of a text field that is not blank: its format, limits and pattern. */
export function checkText(field: TextField, typed: string, labels: FormRoomLabels): Checked {
  const { format, minLength = 0, maxLength = Infinity, pattern } = field;
  const value = spell(field, typed);
  const message = checkFormat(format, value, labels);
  if (message !== undefined) return { message, value };
  const limit = checkTimeLimits(field, value, labels);
  if (limit !== undefined) return { message: limit, value };
  const length = [...value].length;
  if (length < minLength) return { message: labels.tooShort(minLength), value };
  if (length > maxLength) return { message: labels.tooLong(maxLength), value };
  if (pattern !== undefined && !matches(pattern, value))
    return { message: labels.notPattern, value, byPattern: true };
  // The control has local time without a zone; RFC 3339 requires one.
  return { value: format === 'date-time' ? new Date(value).toISOString() : value };
}

/**
 * Returns the text as the receiver wants it. A browser leaves out the seconds of a full minute and has no offset, and a pattern may require
 * both.
 */
function spell({ format, pattern, needsOffset }: TextField, text: string): string {
  const typed = format === 'time' ? padHour(text.trim()) : text;
  if (format === 'email' || format === 'uri') return typed.trim();
  // Half a time is refused as it is.
  if (format !== 'time' || !TIME.test(typed)) return typed;
  if (pattern === undefined) return needsOffset ? toTimeWithOffset(typed) : typed;
  const spellings = [typed, `${typed}:00`, `${typed}:00.000`, `${typed}.000`];
  return [...spellings, ...spellings.map(toTimeWithOffset)].find((text) => matches(pattern, text)) ?? typed;
}

/** Says the limits of a date or a time before the person breaks them, such as "From Monday, 30 November 2026". */
export function describeTimeLimits(field: TextField, labels: FormRoomLabels): string | undefined {
  const { earliest, latest } = field;
  if (earliest !== undefined && latest !== undefined)
    return labels.numberRange(writeTime(field, earliest, labels), writeTime(field, latest, labels));
  if (earliest !== undefined) return labels.hintFrom(writeTime(field, earliest, labels));
  return latest === undefined ? undefined : labels.hintUpTo(writeTime(field, latest, labels));
}

function checkTimeLimits(field: TextField, value: string, labels: FormRoomLabels): string | undefined {
  const { format, earliest, latest } = field;
  const at = toComparable(format, value);
  if (earliest !== undefined && at < toComparable(format, earliest))
    return labels.tooEarly(writeTime(field, earliest, labels));
  if (latest !== undefined && at > toComparable(format, latest))
    return labels.tooLate(writeTime(field, latest, labels));
  return undefined;
}

/** Dates and times of day of one form are in the order of their letters, moments are not: each may have an offset of its own. */
function toComparable(format: TextFormat, text: string): string | number {
  if (format === 'date-time') return Date.parse(text);
  return format === 'time' ? toLocalTime(padHour(text)) : text;
}

function writeTime({ format }: TextField, text: string, { locale }: FormRoomLabels): string {
  const isTime = format === 'date' || format === 'date-time' || format === 'time';
  return (isTime ? formatTime(text, format, locale) : undefined) ?? displayText(text, 60);
}

/** Says what a format wants if the text does not have it. */
export function checkFormat(format: TextFormat, text: string, labels: FormRoomLabels): string | undefined {
  switch (format) {
    case 'email':
      return EMAIL.test(text) ? undefined : labels.notEmail;
    case 'uri':
      return URL.canParse(text) ? undefined : labels.notUrl;
    case 'date':
      return isDate(text) ? undefined : labels.notDate;
    case 'time':
      return TIME.test(text) ? undefined : labels.notTime;
    case 'date-time':
      return Number.isNaN(Date.parse(text)) ? labels.notDateTime : undefined;
    case 'plain':
    case 'tel':
    case 'secret':
    case 'multiline':
      return undefined;
    default:
      return format satisfies never;
  }
}

/** `2026-02-30` looks like a date but is not one. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** Returns true also for a pattern that this form does not test: the receiver of the value validates it again. */
function matches(pattern: string, text: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH || text.length > MAX_TESTED_LENGTH) return true;
  const repetitions = pattern.match(REPETITION)?.length ?? 0;
  if (text.length ** repetitions > MAX_STEPS) return true;
  if (text.length > MAX_TESTED_BY_REPEATED_GROUP && REPEATED_GROUP.test(pattern)) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
