import { describeThrown } from '../../shared/errors.ts';

/**
 * Refuses what could be neither sent nor kept, before anything is noted of it.
 *
 * @throws TypeError for an event that JSON cannot carry: a bigint, an object that contains itself.
 */
export function checkEvent(event: object): void {
  // Nearly all are flat, and cost nothing more.
  if (Object.values(event).every(isPlain)) return;
  let why = 'it has no JSON';
  try {
    if (typeof JSON.stringify(event) === 'string') return;
  } catch (thrown) {
    why = describeThrown(thrown, why);
  }
  throw new TypeError(`The agent yielded an event that cannot be sent as JSON: ${why}`);
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean', 'undefined'].includes(typeof value);
}
