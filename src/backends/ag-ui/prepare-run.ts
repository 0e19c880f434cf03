/** The input of a run: what a message, or answers, add to the thread. */
import type { RespondCommand, ToolAnswer, TriggerCommand } from '../../core/protocol/commands.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';
import { type AgUiMemory, toThread } from './memory.ts';
import {
  type AgUiMessage,
  type Interrupt,
  insertResult,
  type ResumeEntry,
  unansweredCalls,
} from './messages.ts';
import { cancel, toResumeEntry } from './resume-entries.ts';

/** A run as it is posted, and as it is kept. */
export interface PreparedRun {
  readonly kept: AgUiMemory;
  readonly messages: readonly AgUiMessage[];
  readonly resume: readonly ResumeEntry[];
}

const UNANSWERED = 'The run was stopped before this call had a result';

/** A message that is sent again takes the place of what the first attempt left. Questions that are open go unanswered. */
export function prepareMessage(command: TriggerCommand, memory: AgUiMemory): PreparedRun {
  const key = command.idempotencyKey ?? createId();
  const isAgain = memory.request === key;
  const messages = isAgain ? memory.posted : [...closeThread(memory), toUserMessage(command, key)];
  const resume = isAgain
    ? (memory.resume ?? [])
    : memory.interrupts.map((interrupt) => findEntry(memory, interrupt));
  // A message begins a turn, with calls and tokens of its own.
  const { answeredCalls: _, usage: __, ...thread } = memory;
  return toRun(isAgain ? memory : thread, key, isAgain, messages, messages, resume, resume);
}

/** Answers that are sent again take the place of what the first attempt left. */
export function prepareAnswers(command: RespondCommand, memory: AgUiMemory): PreparedRun {
  const { executionId, answers } = command;
  const request = JSON.stringify([executionId, ...answers.map(({ toolCallId }) => toolCallId)]);
  const isAgain = memory.request === request;
  const thread = isAgain ? memory.posted : toThread(memory);
  const withoutSecrets = answers.map((answer) =>
    'redactedResult' in answer ? { ...answer, result: answer.redactedResult } : answer,
  );
  return toRun(
    memory,
    request,
    isAgain,
    writeResults(thread, withoutSecrets),
    writeResults(thread, answers),
    toEntries(withoutSecrets, memory),
    toEntries(answers, memory),
  );
}

function toRun(
  memory: AgUiMemory,
  request: string,
  isAgain: boolean,
  posted: readonly AgUiMessage[],
  messages: readonly AgUiMessage[],
  keptResume: readonly ResumeEntry[],
  resume: readonly ResumeEntry[],
): PreparedRun {
  const { threadId, state, activities, usage, interrupts, runId } = memory;
  // Some agents want to know which run they were asked in.
  const parentRunId = isAgain ? memory.parentRunId : runId;
  const answered = resume.length === 0 ? [] : interrupts.flatMap(({ toolCallId = [] }) => toolCallId);
  const kept = {
    threadId,
    posted,
    request,
    runId: createId(),
    interrupts,
    resume: keptResume,
    answeredCalls: [...new Set([...(memory.answeredCalls ?? []), ...answered])],
    ...(state !== undefined && { state }),
    ...(activities !== undefined && { activities }),
    ...(usage !== undefined && { usage }),
    ...(parentRunId !== undefined && { parentRunId }),
  };
  return { kept, messages, resume };
}

function findEntry({ resume = [] }: Pick<AgUiMemory, 'resume'>, interrupt: Interrupt): ResumeEntry {
  return resume.find(({ interruptId }) => interruptId === interrupt.id) ?? cancel(interrupt);
}

function isOfInterrupt({ echo }: ToolAnswer): boolean {
  return isRecord(echo.interrupt);
}

/** Every open question has its entry, because an agent refuses part of them: one that expired unanswered is cancelled. */
function toEntries(answers: readonly ToolAnswer[], { interrupts }: AgUiMemory): readonly ResumeEntry[] {
  const entries = answers.filter(isOfInterrupt).map(toResumeEntry);
  if (entries.length === 0) return [];
  const open = interrupts.map((interrupt) => findEntry({ resume: entries }, interrupt));
  const others = entries.filter(({ interruptId }) => !interrupts.some(({ id }) => id === interruptId));
  return [...open, ...others];
}

function writeResults(
  thread: readonly AgUiMessage[],
  answers: readonly ToolAnswer[],
): readonly AgUiMessage[] {
  return answers
    .filter((answer) => !isOfInterrupt(answer))
    .reduce((messages, answer) => insertResult(messages, toResultMessage(answer)), thread);
}

function toResultMessage({ toolCallId, result, error }: ToolAnswer): AgUiMessage {
  const id = `${toolCallId}:result`;
  if (error !== undefined) return { id, role: 'tool', toolCallId, content: error, error };
  const content = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return { id, role: 'tool', toolCallId, content };
}

/** Models refuse a thread with calls that have no result, and with empty messages. Calls that an interrupt holds belong to the agent. */
function closeThread(memory: AgUiMemory): readonly AgUiMessage[] {
  const held = new Set(memory.interrupts.flatMap(({ toolCallId = [] }) => toolCallId));
  const thread = toThread(memory).filter(
    ({ content, toolCalls, encryptedValue }) => content !== '' || toolCalls?.length || encryptedValue,
  );
  return unansweredCalls(thread)
    .filter(({ id }) => !held.has(id))
    .map(
      ({ id }): AgUiMessage => ({
        id: `${id}:result`,
        role: 'tool',
        toolCallId: id,
        content: UNANSWERED,
        error: UNANSWERED,
      }),
    )
    .reduce(insertResult, thread);
}

/** @throws AgentChatError `invalid_options` for a trigger without a text and files, which AG-UI has no word for */
function toUserMessage({ triggerName, input = {} }: TriggerCommand, id: string): AgUiMessage {
  const { USER_MESSAGE: given, FILES: files } = input;
  const text = typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given);
  const sources = (Array.isArray(files) ? files.filter(isRecord) : []).map(({ mediaType, url }) => {
    const [kind = ''] = String(mediaType).split('/');
    const type = ['image', 'audio', 'video'].includes(kind) ? kind : 'document';
    return { type, source: { type: 'url', value: url, mimeType: mediaType } };
  });
  if (sources.length === 0 && text !== '') return { id, role: 'user', content: text };
  if (sources.length > 0)
    return { id, role: 'user', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...sources] };
  throw invalidOptions(
    `AG-UI knows messages and no triggers, so "${triggerName}" was not sent. Use sendMessage with a text or files.`,
  );
}
