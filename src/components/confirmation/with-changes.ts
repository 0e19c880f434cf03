import { isRecord } from '../../shared/json.ts';
import { findChanges } from './use-edited-arguments.ts';

/**
 * The arguments with what a person changed of them. A form reads some values in another spelling (a moment, the order of
 * picks), leaves out what is empty and knows nothing of what it does not show: none of that is a change anybody made.
 *
 * @param untouched What the form reads as long as nobody touches it.
 */
export function withChanges(args: unknown, untouched: unknown, entered: unknown): unknown {
  if (!isRecord(args) || !isRecord(untouched) || !isRecord(entered)) return entered;
  const changed = new Map(Object.entries(args));
  for (const { name, before, after } of findChanges(untouched, entered)) {
    if (after === undefined) changed.delete(name);
    else changed.set(name, withChanges(changed.get(name), before, after));
  }
  return Object.fromEntries(changed);
}
