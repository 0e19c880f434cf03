import { describeThrown } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';

/** The arguments of a model. With an `error` the call fails before it is dispatched. */
export interface ModelArguments {
  readonly args: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

/**
 * Reads the arguments of a model's tool call (CommonGround v1r4). JSON that is no object becomes `{ _raw: value }`. Text that is no JSON
 * becomes `{ _raw: text }` with an `error`. Absent arguments are `{}`.
 */
export function parseModelArguments(given: unknown): ModelArguments {
  if (given === undefined || given === null) return { args: {} };
  if (typeof given !== 'string') return { args: toArguments(given) };
  try {
    return { args: toArguments(JSON.parse(given)) };
  } catch (thrown) {
    return { args: { _raw: given }, error: `The arguments are no JSON: ${describeThrown(thrown)}` };
  }
}

function toArguments(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : { _raw: value };
}
