/** Hides the values of secret environment variables from everything that leaves a thread. */
import { isRecord, parseJson } from '../../../shared/json.ts';
import { MASK } from '../../../shared/secrets.ts';
import { readToolCalls, type ThreadMessage } from './thread-message.ts';

/** A shorter value is not searched for: it would be found inside ordinary words and numbers. */
export const MIN_SECRET_LENGTH = 4;

/** Returns the texts to search for, longest first: each value as it is, and as it stands inside JSON text. */
export function toSecretTexts(values: readonly string[]): readonly string[] {
  const forms = values
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
}

/** Returns a JSON value with every secret masked, in texts and in the names of properties. */
export function redactJson(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') return secrets.includes(String(value)) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactText(key, secrets), redactJson(item, secrets)]),
  );
}

/** Returns the data of a custom event without secrets. The id of a client call stays as it is: the answer names the call by it. */
export function redactEvent(eventType: string, data: unknown, secrets: readonly string[]): unknown {
  const redacted = redactJson(data, secrets);
  const isOfCall = eventType === 'client_tool_request' || eventType === 'client_tool_answered';
  return isOfCall && isRecord(data) && isRecord(redacted) ? { ...redacted, id: data.id } : redacted;
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
    ...(metadata ? { metadata: redactJson(metadata, secrets) as typeof metadata } : {}),
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
  return value === undefined ? redactText(text, secrets) : JSON.stringify(redactJson(value, secrets));
}

/** Returns the error, or a copy without secrets, for the app's logs. Its causes are treated alike. */
export function redactThrown(thrown: unknown, secrets: readonly string[]): unknown {
  if (!(thrown instanceof Error)) return redactJson(thrown, secrets);
  const message = redactText(thrown.message, secrets);
  const stack = redactText(thrown.stack ?? '', secrets);
  const cause = redactThrown(thrown.cause, secrets);
  if (message === thrown.message && stack === (thrown.stack ?? '') && cause === thrown.cause) return thrown;
  return Object.assign(new Error(message, { cause }), { name: thrown.name, stack });
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
      const text = redactText(waiting + piece, secrets);
      const cut = text.length - lengthOfStart(text, secrets);
      waiting = text.slice(cut);
      return text.slice(0, cut);
    },
    flush() {
      const rest = waiting;
      waiting = '';
      return rest;
    },
  };
}

/** Returns the length of the longest end of the text with which a secret begins. */
function lengthOfStart(text: string, secrets: readonly string[]): number {
  const lengths = secrets.map((secret) => {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) return length;
    }
    return 0;
  });
  return Math.max(0, ...lengths);
}
