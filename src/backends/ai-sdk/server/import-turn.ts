/** Holds one turn of the imported conversation: the message of the person, and the steps of the assistant. */
import type { FileReference } from '../../../core/state/message.ts';
import { newCallKey } from '../../../server/store/call-keys.ts';
import type { CallRecord, CallRecords } from '../../../server/store/call-record.ts';
import type {
  AssistantMessageRecord,
  MessageRecord,
  TurnRecord,
} from '../../../server/store/session-store.ts';
import { compact, isRecord } from '../../../shared/json.ts';
import { type AiSdkMessage, type AiSdkPart, isToolPart } from '../ui-message.ts';
import { importCall } from './import-call.ts';
import { toImportedContent } from './imported-content.ts';
import type { MessagesOfTurn, NotCarried } from './to-turns.ts';

export interface ImportedTurn {
  readonly messages: readonly MessageRecord[];
  /** The calls of the turn by their keys. */
  readonly calls: CallRecords;
  /** The keys of the calls that are asked again. */
  readonly open: readonly string[];
  readonly turn: Omit<TurnRecord, 'at' | 'startedBy'>;
  readonly notCarried: readonly NotCarried[];
}

interface TurnContext {
  /** Only the last turn can leave a call open. */
  readonly isLast: boolean;
  /** The calls of earlier turns. */
  readonly calls: CallRecords;
  readonly clientTools: readonly string[];
  readonly importedAt: number;
}

export function importTurn({ user, assistants }: MessagesOfTurn, context: TurnContext): ImportedTurn {
  const [first] = assistants;
  const startedAt = readTime(user) ?? readTime(first) ?? context.importedAt;
  const executionId = `import-${user?.id ?? first?.id}`;
  const steps = assistants.flatMap(({ id, parts }) => toSteps(parts).map((step) => ({ id, step })));
  const messages: MessageRecord[] = user ? [toUserRecord(user)] : [];
  const calls: Record<string, CallRecord> = {};
  const open: string[] = [];
  const notCarried: NotCarried[] = user?.parts.flatMap((part) => reportUserPart(user.id, part)) ?? [];
  for (const [index, { id: messageId, step }] of steps.entries()) {
    const keys: string[] = [];
    for (const part of step) {
      const report = (why: string, toolCallId?: string) =>
        notCarried.push({ messageId, type: part.type, ...(toolCallId !== undefined && { toolCallId }), why });
      const why = reportAssistantPart(part);
      if (why !== undefined) report(why);
      if (!isToolPart(part) || part.providerExecuted) continue;
      const key = newCallKey({ ...context.calls, ...calls }, part.toolCallId);
      const mayStayOpen = context.isLast && index === steps.length - 1;
      const imported = importCall(part, {
        ...{ executionId, at: startedAt, mayStayOpen },
        isSuperseded: !context.isLast,
        isOfPage: (toolName) => context.clientTools.includes(toolName),
      });
      calls[key] = imported.call;
      keys.push(key);
      if (imported.isOpen) open.push(key);
      if (imported.why !== undefined) report(imported.why, part.toolCallId);
    }
    messages.push(toStepRecord(step, keys));
  }
  const turn = compact({
    ...{ messageId: first?.id ?? `${executionId}-answer`, executionId, startedAt },
    userMetadata: user?.metadata,
    metadata: first?.metadata,
  });
  return { messages, calls, open, turn: turn as ImportedTurn['turn'], notCarried };
}

/** The AI SDK marks where a step begins. Messages without these marks begin one with each text that follows a call. */
function toSteps(parts: readonly AiSdkPart[]): readonly (readonly AiSdkPart[])[] {
  const steps: AiSdkPart[][] = [[]];
  for (const part of parts) {
    const step = steps.at(-1) as AiSdkPart[];
    if (part.type === 'step-start') {
      steps.push([]);
      continue;
    }
    const isNext = (part.type === 'text' || part.type === 'reasoning') && step.some(isOwnCall);
    if (isNext) steps.push([part]);
    else step.push(part);
  }
  return steps.filter((step) => step.length > 0);
}

function isOwnCall(part: AiSdkPart): boolean {
  return isToolPart(part) && !part.providerExecuted;
}

function toStepRecord(step: readonly AiSdkPart[], calls: readonly string[]): AssistantMessageRecord {
  return compact({
    role: 'assistant' as const,
    content: textOf(step),
    calls: calls.length > 0 ? calls : undefined,
    modelContent: toImportedContent(step),
  }) as AssistantMessageRecord;
}

function toUserRecord({ id, parts }: AiSdkMessage): MessageRecord {
  const files = parts.flatMap((part, index) =>
    part.type === 'file' ? [toFile(part, `${id}-${index}`)] : [],
  );
  const content = textOf(parts);
  const input = { USER_MESSAGE: content, ...(files.length > 0 && { FILES: files }) };
  return { role: 'user', id, content, trigger: 'user-message', input, ...(files.length > 0 && { files }) };
}

function toFile({ mediaType, url, filename }: AiSdkPart, id: string): FileReference {
  return compact({ id, mediaType, url, filename }) as unknown as FileReference;
}

function textOf(parts: readonly AiSdkPart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n\n');
}

function readTime(message: AiSdkMessage | undefined): number | undefined {
  const created = isRecord(message?.metadata) ? message.metadata.createdAt : undefined;
  if (created === undefined) return undefined;
  const time = new Date(created as string | number | Date).getTime();
  return Number.isNaN(time) ? undefined : time;
}

function reportUserPart(messageId: string, { type }: AiSdkPart): readonly NotCarried[] {
  if (type === 'text' || type === 'file') return [];
  return [{ messageId, type, why: 'Left out: a message of a person has texts and files.' }];
}

/** Returns what is lost of a part that is no call of a tool of yours. */
function reportAssistantPart(part: AiSdkPart): string | undefined {
  if (part.type === 'text' || part.type === 'step-start' || isOwnCall(part)) return undefined;
  if (part.type === 'reasoning' || part.type === 'file' || isToolPart(part))
    return 'Kept for the model of createAiSdkAgent; the page does not show it.';
  return 'Left out: the record of a session has what the agent knows, and this part was for the page alone.';
}
