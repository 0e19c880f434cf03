/**
 * True if a stored snapshot is one that can be gone on with. What goes on with it reads without looking twice: a value of
 * another kind would break the page, or leave a call that nobody can answer.
 *
 * By hand, a schema library would outweigh the rest. Kinds of parts that are not known here are let through, because the
 * messages an app begins with may have some, and so is a status that such a message never had.
 */
import { isRecord } from '../shared/json.ts';

/** The first place that is not as this version writes it. */
export function findSnapshotFault(stored: Record<string, unknown>): string | undefined {
  // An earlier version may have left these three out; null they never are.
  const { phase, request, undelivered = [], allowedTools = [], usage = {} } = stored;
  if (typeof stored.savedAt !== 'number') return 'savedAt is no number';
  if (!isListOf(stored.messages, isMessage)) return 'messages is no list of messages';
  if (!isListOf(stored.calls, isCall)) return 'calls is no list of calls';
  if (!isListOf(undelivered, isCall)) return 'undelivered is no list of calls';
  if (!isListOf(allowedTools, isText)) return 'allowedTools is no list of names';
  if (!isListOf(stored.notices, isNotice)) return 'notices is no list of notices';
  if (!isOneOf(phase, 'idle', 'streaming', 'error')) return `phase is ${JSON.stringify(phase)}`;
  for (const key of ['streamingMessage', 'checkpoint', 'interrupted']) {
    if (stored[key] !== null && !isDraft(stored[key])) return `${key} is no message that is being written`;
  }
  if (stored.error !== null && !isError(stored.error)) return 'error is no error';
  // Only a conversation nobody has said anything in yet has made no request.
  if (!(request === null ? phase === 'idle' : isCommand(request))) return 'request is no request';
  if (!isRecord(usage)) return 'usage is no object';
  for (const key of ['executionId', 'cursor']) {
    if (!isOptionalText(stored[key])) return `${key} is no text`;
  }
  return undefined;
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.id) || !isText(value.role)) return false;
  return isDate(value.createdAt) && isListOf(value.parts, isPart);
}

function isPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const { type, status } = part;
  switch (type) {
    case 'text':
    case 'reasoning':
      return isText(part.text) && isOneOf(status, undefined, 'streaming', 'done');
    case 'tool-call':
      return (
        isCallOf(part) &&
        isOptionalText(part.error) &&
        isOneOf(status, undefined, 'pending', 'running', 'done', 'error', 'cancelled') &&
        isOneOf(part.executedBy, undefined, 'client', 'server', 'provider')
      );
    case 'operation':
      return isText(part.name) && isOneOf(status, undefined, 'running', 'done', 'cancelled');
    case 'source':
      return isText(part.id);
    case 'file':
      return isText(part.url) && isText(part.mediaType);
    case 'object':
      return isText(part.typeName) && isOneOf(status, undefined, 'streaming', 'done', 'error');
    default:
      return isText(type);
  }
}

function isDraft(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.id) || !isDate(value.createdAt)) return false;
  return (
    isListOf(value.parts, (slot) => isRecord(slot) && isPart(slot.part) && isOptionalText(slot.json)) &&
    isListOf(
      value.partIndexes,
      (pair) => Array.isArray(pair) && isText(pair[0]) && Number.isInteger(pair[1]),
    ) &&
    isListOf(value.blocks, (block) => isRecord(block) && isText(block.id))
  );
}

function isCall(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.key) || !isText(value.executionId)) return false;
  const { request, requestedAt, expiresAt, stage, serverToolResults, answer } = value;
  const isOpen = isOneOf(stage, 'announced', 'running', 'waiting');
  return (
    isRecord(request) &&
    isCallOf(request) &&
    typeof requestedAt === 'number' &&
    isOneOf(typeof expiresAt, 'undefined', 'number') &&
    (isOpen || isOneOf(stage, 'settled', 'delivered', 'acknowledged')) &&
    isListOf(serverToolResults, isResult) &&
    (isOpen ? answer === undefined : isRecord(answer) && isText(answer.outcome))
  );
}

/** What names a call: in a request of the agent and in the part that shows it. */
function isCallOf({ toolCallId, toolName, args }: Record<string, unknown>): boolean {
  return isText(toolCallId) && isText(toolName) && isRecord(args);
}

function isCommand(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, triggerName, input, executionId, answers, serverToolResults } = value;
  if (type === 'trigger') return isText(triggerName) && isRecord(input ?? {});
  return (
    type === 'respond' &&
    isText(executionId) &&
    isListOf(answers, isAnswer) &&
    isListOf(serverToolResults, isResult)
  );
}

function isAnswer(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.toolCallId) || !isText(value.toolName)) return false;
  return isText(value.outcome) && isRecord(value.echo);
}

function isResult(value: unknown): boolean {
  return isRecord(value) && isText(value.toolCallId);
}

function isError(value: unknown): boolean {
  return isRecord(value) && isText(value.code) && isText(value.message);
}

function isNotice(value: unknown): boolean {
  return isRecord(value) && isText(value.code) && isText(value.text);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isOneOf(value: unknown, ...words: readonly unknown[]): boolean {
  return words.includes(value);
}
