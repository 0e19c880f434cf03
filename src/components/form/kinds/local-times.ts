/** Times of RFC 3339 have an offset. The controls of a browser have local times without one. */

const WITH_OFFSET = /^\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** Returns a time with two digits for the hour, which controls and schemas want: people write 9:30. */
export function padHour(text: string): string {
  return /^\d:\d\d/.test(text) ? `0${text}` : text;
}

/** Converts a date and time with an offset to the local time of `<input type="datetime-local">`. */
export function toLocalDateTime(text: string): string {
  const local = toLocal(new Date(text));
  return local === undefined ? text : withoutZeros(local);
}

/** Converts a time of day with an offset to the local one of `<input type="time">`, and leaves any other text as it is. */
export function toLocalTime(text: string): string {
  if (!WITH_OFFSET.test(text)) return text;
  const local = toLocal(new Date(`${new Date().toISOString().slice(0, 10)}T${text}`));
  return local === undefined ? text : withoutZeros(local).slice('2026-01-01T'.length);
}

/** Returns a local time of day as RFC 3339 wants it, with the offset of this place today. */
export function toTimeWithOffset(text: string): string {
  const minutes = -new Date().getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
  return `${/^\d\d:\d\d$/.test(text) ? `${text}:00` : text}${minutes === 0 ? 'Z' : offset}`;
}

function toLocal(date: Date): string | undefined {
  if (Number.isNaN(date.getTime())) return undefined;
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
}

/** Leaves out the seconds of a full minute, and the milliseconds of a full second, as a browser does. */
function withoutZeros(iso: string): string {
  const text = iso.slice(0, 23);
  return text.endsWith('.000') ? text.slice(0, text.endsWith(':00.000') ? 16 : 19) : text;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
