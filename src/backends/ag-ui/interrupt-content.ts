/** Reads the question of an interrupt: each framework puts it into another place, and the page shows all of it. */
import { deepEqual } from '../../shared/deep-equal.ts';
import { compact, hasOwn, isRecord, ownString, parseJson } from '../../shared/json.ts';
import { type Interrupt, isLegacy } from './messages.ts';
import { type Review, readReview } from './review.ts';
import type { Schema } from './schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface InterruptContent {
  /** The call that is asked about, where the interrupt itself names it. */
  readonly toolName?: string;
  readonly args?: Fields;
  /** The fields of the question, without those that only say how to answer. Absent where there are none. */
  readonly payload?: Fields;
  readonly message?: string;
  /** The schema of the answer, if it says anything. */
  readonly schema?: Schema;
  /** True if a tool waits for a value in the middle of its work (Mastra). */
  readonly isSuspended?: true;
  /** Calls that LangChain wants to have reviewed. */
  readonly review?: Review;
}

/** The fields of a payload that become fields of the interrupt (LangGraph writes both spellings). */
const ENVELOPE = [
  'reason',
  'toolCallId',
  'tool_call_id',
  'responseSchema',
  'response_schema',
  'expiresAt',
  'expires_at',
];

/** Returns true for a reason that is no word for programs, such as `confirmation` or `langgraph:interrupt`. */
export function isForPeople(reason: unknown): boolean {
  return typeof reason !== 'string' || /\s/.test(reason.trim());
}

export function readContent(interrupt: Interrupt): InterruptContent {
  const asked = readFramework(interrupt);
  const review = readReview(asked.payload);
  const fields = toFields(asked.payload);
  const text = ['message', 'question'].map((key) => ownString(fields, key)).find((found) => found);
  const message = [interrupt.message, asked.payload, text].find((found) => typeof found === 'string');
  const schema = interrupt.responseSchema ?? asked.schema;
  return compact({
    toolName: asked.toolName,
    args: asked.args,
    payload: Object.keys(fields).length > 0 ? fields : undefined,
    message: message as string | undefined,
    schema: schema && Object.keys(schema).length > 0 ? schema : undefined,
    isSuspended: asked.isSuspended,
    review,
  });
}

interface Asked {
  readonly payload: unknown;
  readonly toolName?: string | undefined;
  readonly args?: Fields | undefined;
  readonly schema?: Schema | undefined;
  readonly isSuspended?: true;
}

function readFramework(interrupt: Interrupt): Asked {
  const { metadata = {}, reason } = interrupt;
  if (isLegacy(interrupt)) return readValue(parseValue(interrupt.legacyValue));
  if (isRecord(metadata.mastra)) return readValue(metadata.mastra);
  if (isRecord(metadata.langgraph)) return { payload: metadata.langgraph.raw };
  // The question of a tool call is the call.
  return { payload: reason === 'tool_call' ? undefined : metadata };
}

/** Reads the value of a question in the older form, which is the JSON of an object or a text. */
export function parseValue(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value, value) : value;
}

/** Mastra says which call it asks about, and what. Any other value is the question itself. */
function readValue(value: unknown): Asked {
  if (!isRecord(value) || !('suspendPayload' in value || 'resumeSchema' in value)) return { payload: value };
  const { args, suspendPayload, resumeSchema } = value;
  const schema = parseValue(resumeSchema);
  return {
    payload: suspendPayload,
    toolName: ownString(value, 'toolName'),
    args: isRecord(args) ? args : undefined,
    schema: isRecord(schema) ? schema : undefined,
    isSuspended: true,
  };
}

function toFields(payload: unknown): Fields {
  if (isRecord(payload)) {
    const isShown = ([key, value]: [string, unknown]) =>
      !ENVELOPE.includes(key) || (key === 'reason' && isForPeople(value));
    return Object.fromEntries(Object.entries(payload).filter(isShown));
  }
  // A text is the message.
  return payload === undefined || payload === null || typeof payload === 'string' ? {} : { value: payload };
}

/** Returns the arguments of a call together with the question about it: nothing of either is hidden by the other. */
export function joinFields(args: Fields, payload: Fields = {}): Fields {
  const differs = ([key, value]: [string, unknown]) => hasOwn(args, key) && !deepEqual(args[key], value);
  if (!Object.entries(payload).some(differs)) return { ...args, ...payload };
  let key = 'payload';
  for (let count = 2; hasOwn(args, key); count += 1) key = `payload ${count}`;
  return { ...args, [key]: payload };
}
