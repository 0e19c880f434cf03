/** Writes dates and times of RFC 3339 for people. A text that is no such date is left as it is: it may mean anything. */

type TimeFormat = 'date' | 'date-time' | 'time';

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/i;

/** `short` names the day and the month in a few letters, where there is little room. */
export type DateWidth = 'long' | 'short';

/** Returns the date or time in the language of the reader, or undefined for a text that is none. */
export function formatTime(
  text: string,
  format: TimeFormat,
  locale: string | undefined,
  width: DateWidth = 'long',
): string | undefined {
  switch (format) {
    case 'date':
      return isDate(text)
        ? new Date(text).toLocaleDateString(locale, { ...dayFields(width), timeZone: 'UTC' })
        : undefined;
    case 'date-time':
      return formatDateTime(text, locale, width);
    case 'time':
      return formatTimeOfDay(text, locale);
    default:
      return format satisfies never;
  }
}

/** 31 February is no date; a browser would take it for one in March. */
function isDate(text: string): boolean {
  const date = DATE.test(text) ? new Date(text) : undefined;
  return date !== undefined && !Number.isNaN(+date) && date.toISOString().startsWith(text);
}

/** A moment is shown in the time zone of the reader, which is named. A time without an offset is shown as it stands. */
function formatDateTime(text: string, locale: string | undefined, width: DateWidth): string | undefined {
  const [day = '', time = ''] = text.split(/[Tt ]/);
  const known = isDate(day) ? TIME.exec(time) : null;
  if (known === null) return undefined;
  const hasOffset = known[4] !== undefined;
  const date = new Date(`${day}T${time}${hasOffset ? '' : 'Z'}`.toUpperCase());
  return date.toLocaleString(locale, {
    ...dayFields(width),
    ...clockFields(date),
    ...(hasOffset ? { timeZoneName: 'short' } : { timeZone: 'UTC' }),
  });
}

function formatTimeOfDay(text: string, locale: string | undefined): string | undefined {
  const known = TIME.exec(text);
  if (known === null) return undefined;
  const [, , , , offset = ''] = known;
  const date = new Date(`2026-01-01T${text.slice(0, text.length - offset.length)}Z`);
  const clock = date.toLocaleTimeString(locale, { ...clockFields(date), timeZone: 'UTC' });
  // Without its day, a time cannot be moved to another time zone.
  return offset === '' ? clock : `${clock} ${/z/i.test(offset) ? 'UTC' : `UTC${offset}`}`;
}

function dayFields(width: DateWidth): Intl.DateTimeFormatOptions {
  return { weekday: width, year: 'numeric', month: width, day: 'numeric' };
}

/** Seconds and their fractions are shown where there are any. */
function clockFields(date: Date): Intl.DateTimeFormatOptions {
  const fraction = date.getUTCMilliseconds();
  const second = date.getUTCSeconds() > 0 || fraction > 0 ? ({ second: '2-digit' } as const) : {};
  return {
    hour: 'numeric',
    minute: '2-digit',
    ...second,
    ...(fraction > 0 && { fractionalSecondDigits: 3 }),
  };
}
