/** The error of a step, on its way to the record and back. */
import { describeThrown } from '../../shared/errors.ts';
import { compact, defineOwn, toJsonValue } from '../../shared/json.ts';
import type { StepError } from '../store/call-record.ts';

/** Fields that are stored by themselves, or that say nothing in another process. */
const OWN_FIELDS = ['name', 'message', 'code', 'stack', 'cause'];

/** Returns what JSON carries of a thrown value: its name, code and message, and each of its own properties that JSON can carry. */
export function toStepError(thrown: unknown): StepError {
  const { name, code } = Object(thrown) as { readonly name?: unknown; readonly code?: unknown };
  const properties = readProperties(thrown);
  return compact({
    name: typeof name === 'string' && name !== '' ? name : 'Error',
    message: describeThrown(thrown, 'The step failed'),
    code: typeof code === 'string' || (typeof code === 'number' && Number.isFinite(code)) ? code : undefined,
    properties: Object.keys(properties).length > 0 ? properties : undefined,
  });
}

/** Returns an error like the one that was stored. Records of before 0.2 have its message alone. */
export function toError(stored: StepError | string): Error {
  if (typeof stored === 'string') return new Error(stored);
  const { name, message, code, properties = {} } = stored;
  const error = new Error(message);
  for (const [key, value] of Object.entries(properties)) defineOwn(error, key, value);
  if (name !== 'Error')
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  return code === undefined ? error : Object.assign(error, { code });
}

function readProperties(thrown: unknown): Readonly<Record<string, unknown>> {
  const properties = {};
  if (typeof thrown !== 'object' || thrown === null) return properties;
  for (const key of Object.keys(thrown)) {
    if (OWN_FIELDS.includes(key)) continue;
    try {
      const value = (thrown as Record<string, unknown>)[key];
      if (value !== undefined) defineOwn(properties, key, toJsonValue(value));
    } catch {
      // A request, a socket or a getter that throws: JSON does not carry it.
    }
  }
  return properties;
}
