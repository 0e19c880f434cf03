/** Hides the values of secret environment variables from everything that leaves a thread. */
import { hideInValue } from '../../../shared/hide-in-value.ts';
import {
  type HiddenText,
  hideTexts,
  lengthOfSettled,
  MIN_HIDDEN_LENGTH,
  toWrittenForms,
} from '../../../shared/hide-texts.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { MASK } from '../../../shared/secrets.ts';
import { isClientCallEvent } from './thread-frames.ts';
import { readToolCalls, type ThreadMessage } from './thread-message.ts';
import type { ThreadRecord } from './thread-record.ts';

/** Returns the values that are secret now. */
export function readSecrets(env: ThreadRecord['env']): readonly string[] {
  return Object.values(env).flatMap(({ type, value }) => (type === 'secret' ? [value] : []));
}

/** Returns the texts that must not leave a thread: of all its secrets, also of those that have another value or type now. */
export function readSecretTexts({ env, secrets = [] }: Pick<ThreadRecord, 'env' | 'secrets'>) {
  return toSecretTexts([...secrets, ...readSecrets(env)]);
}

/** Returns the texts to search for: each value as it is, and as it stands in JSON text and in an address. */
export function toSecretTexts(values: readonly string[]): readonly string[] {
  const forms = values.filter((value) => value.length >= MIN_HIDDEN_LENGTH).flatMap(toWrittenForms);
  return [...new Set(forms)];
}

export function redactText(text: string, secrets: readonly string[]): string {
  return hideTexts(text, toHidden(secrets));
}

function toHidden(secrets: readonly string[]): readonly HiddenText[] {
  return secrets.map((text) => ({ text, replacement: MASK }));
}

/**
 * Returns a value of JSON, or what was thrown, with every secret masked in texts, numbers and the names of properties. A copy of an error
 * has the same class, and its cause and its fields are masked too.
 */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  return hideInValue(value, {
    text: (text) => redactText(text, secrets),
    number: (number) => (secrets.includes(String(number)) ? MASK : number),
  });
}

/** Returns the data of a custom event without secrets. The id of a client call stays as it is: the answer names the call by it. */
export function redactEvent(eventType: string, data: unknown, secrets: readonly string[]): unknown {
  const redacted = redactValue(data, secrets);
  return isClientCallEvent(eventType) && isRecord(data) && isRecord(redacted)
    ? { ...redacted, id: data.id }
    : redacted;
}

/** Returns a row without secrets. The text of a person, and the names of their files, stay as the person wrote them. */
export function redactMessage(message: ThreadMessage, secrets: readonly string[]): ThreadMessage {
  if (secrets.length === 0 || message.role === 'user') return message;
  const { content, reasoning_content, tool_calls, metadata, attachments } = message;
  return {
    ...message,
    content: content && redactText(content, secrets),
    ...(tool_calls ? { tool_calls: redactToolCalls(message, secrets) } : {}),
    ...(reasoning_content ? { reasoning_content: redactText(reasoning_content, secrets) } : {}),
    ...(metadata ? { metadata: redactValue(metadata, secrets) as typeof metadata } : {}),
    ...(attachments ? { attachments: redactJsonText(attachments, secrets) } : {}),
  };
}

function redactToolCalls(message: ThreadMessage, secrets: readonly string[]): string {
  const calls = readToolCalls(message).map((call) => ({
    ...call,
    function: { ...call.function, arguments: redactJsonText(call.function.arguments, secrets) },
  }));
  return JSON.stringify(calls);
}

/** Redacts the values in JSON text: a secret like `1234` must not be cut out of the JSON itself. */
function redactJsonText(text: string, secrets: readonly string[]): string {
  const value = parseJson(text);
  return value === undefined ? redactText(text, secrets) : JSON.stringify(redactValue(value, secrets));
}

/** Masks secrets in a text that arrives in pieces: a secret may be cut in two. */
export interface StreamRedactor {
  /** Returns the text that may be sent now. The start of a possible secret waits for the next piece. */
  push(piece: string): string;
  /** Returns the text that still waits, at the end of the stream. */
  flush(): string;
}

/** @param readSecrets called for each piece: a secret that is set meanwhile counts from the next piece on */
export function createStreamRedactor(readSecrets: () => readonly string[]): StreamRedactor {
  let waiting = '';
  return {
    push(piece) {
      const secrets = readSecrets();
      const text = waiting + piece;
      const settled = lengthOfSettled(text, toHidden(secrets));
      waiting = text.slice(settled);
      return redactText(text.slice(0, settled), secrets);
    },
    flush() {
      const rest = redactText(waiting, readSecrets());
      waiting = '';
      return rest;
    },
  };
}
