/** The input of a run: what a message, or answers, add to the thread. */
import type { RespondCommand, ToolAnswer, TriggerCommand } from '../../core/protocol/commands.ts';
import { withFiles } from '../../core/protocol/with-files.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';
import { type AgUiMemory, toThread } from './memory.ts';
import {
  type AgUiMessage,
  currentTurn,
  type Interrupt,
  insertResult,
  type ResumeEntry,
  unansweredCalls,
} from './messages.ts';
import { cancel, toResumeEntry } from './resume-entries.ts';
import { toUserContent } from './user-content.ts';

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
  const { answeredCalls: _, answers: __, usage: ___, ...thread } = memory;
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
  const before = (memory.answers ?? []).filter(
    ({ toolCallId }) => !answers.some((answer) => answer.toolCallId === toolCallId),
  );
  const given = answers.map(({ toolCallId }) => ({ toolCallId, executionId }));
  return toRun(
    { ...memory, answers: [...before, ...given] },
    request,
    isAgain,
    writeResults(thread, withoutSecrets, memory),
    writeResults(thread, answers, memory),
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
  const { threadId, state, activities, usage, interrupts, runId, answers } = memory;
  // Some agents want to know which run they were asked in.
  const parentRunId = isAgain ? memory.parentRunId : runId;
  const answered = unansweredCalls(currentTurn(posted)).map(({ id }) => id);
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
    ...(answers !== undefined && { answers }),
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

/**
 * Every open question has its entry, because an agent refuses part of them: one that expired unanswered is cancelled. A call of the page that
 * was answered before the agent asked about it answers the question.
 */
function toEntries(answers: readonly ToolAnswer[], { interrupts }: AgUiMemory): readonly ResumeEntry[] {
  const entries = answers.flatMap((answer) => {
    if (isOfInterrupt(answer)) return toResumeEntry(answer);
    const interrupt = findInterrupt(answer, interrupts);
    return interrupt ? toResumeEntry({ ...answer, echo: { interrupt, isClientTool: true } }) : [];
  });
  if (entries.length === 0) return [];
  const open = interrupts.map((interrupt) => findEntry({ resume: entries }, interrupt));
  const others = entries.filter(({ interruptId }) => !interrupts.some(({ id }) => id === interruptId));
  return [...open, ...others];
}

function findInterrupt({ toolCallId, echo }: ToolAnswer, interrupts: readonly Interrupt[]) {
  const id = echo.callId ?? toolCallId;
  return interrupts.find((interrupt) => interrupt.toolCallId === id);
}

function writeResults(
  thread: readonly AgUiMessage[],
  answers: readonly ToolAnswer[],
  { interrupts }: AgUiMemory,
): readonly AgUiMessage[] {
  return answers
    .filter((answer) => !isOfInterrupt(answer) && !findInterrupt(answer, interrupts))
    .reduce((messages, answer) => insertResult(messages, toResultMessage(answer)), thread);
}

function toResultMessage({
  toolCallId: pageId,
  result: returned,
  error,
  echo,
  files,
}: ToolAnswer): AgUiMessage {
  const toolCallId = typeof echo.callId === 'string' ? echo.callId : pageId;
  const id = `${pageId}:result`;
  if (error !== undefined) return { id, role: 'tool', toolCallId, content: error, error };
  const result = withFiles(returned, files);
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
  const references = (Array.isArray(files) ? files : []).filter(isRecord);
  const content = toUserContent(
    text,
    references.map(({ mediaType, url }) => ({ mediaType: String(mediaType), url: String(url) })),
  );
  if (content !== undefined) return { id, role: 'user', content };
  throw invalidOptions(
    `AG-UI knows messages and no triggers, so "${triggerName}" was not sent. Use sendMessage with a text or files.`,
  );
}
