/** An AG-UI agent as a backend of the conversation suites: it plays the same scripts, written by the encoder of AG-UI. */
import type { Message, RunAgentInput } from '@ag-ui/core';
import { createAgUiTransport } from '../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { toNodeHandler } from '../../src/server.ts';
import {
  type Agent,
  call,
  createAgentRoute,
  interrupted,
  type ScriptedEvent,
  text,
} from '../backends/ag-ui/agent-route.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentResponse, AgentScript, Backend, BackendKind, ServerToolTable } from './backend.ts';
import { listen } from './listen.ts';

/** The transport to the agent at `port`, as an application creates it. */
export function connectAgUi(port: number, send: typeof fetch = fetch) {
  return createAgUiTransport({ url: `http://127.0.0.1:${port}/agent`, fetch: send });
}

/** @param asksBeforePay true for an agent that asks for approvals by interrupts */
export function agUiBackend(asksBeforePay = false): BackendKind {
  return {
    name: asksBeforePay ? 'AG-UI with interrupts' : 'AG-UI',
    asksBeforePay,
    resumes: false,
    keepsRuns: false,
    numbersEvents: false,
    remembersMessages: true,
    open: openAgUi,
  };
}

async function openAgUi(script: AgentScript, serverTools: ServerToolTable = {}): Promise<Backend> {
  let count = 0;
  const pay = createPayments(serverTools);
  const route = createAgentRoute((input) => {
    const events: ScriptedEvent[] = pay.results(input);
    const { said, responses } = currentTurn(script, input);
    // Responses whose calls the server answers follow each other in one run.
    for (const [index, steps] of responses.slice(said).entries()) {
      events.push(...playResponse(steps, `r${said + index}`, serverTools, () => `call-${++count}`));
      const questions = pay.questions(events);
      if (questions.length > 0) events.push(interrupted(...questions));
      if (questions.length > 0 || steps.some((step) => isClientCall(step, serverTools))) break;
    }
    return events;
  });
  const { port, cut, close } = await listen(toNodeHandler((request) => route.handle(request)));
  return {
    transport: connectAgUi(port),
    port,
    refusals: [],
    readTranscript: async () => toTranscript(route.inputs),
    cut,
    close,
  };
}

/** The calls of `pay`, each with its question. The same answer may come twice: it is taken once (rule 5 of the interrupts). */
function createPayments(serverTools: ServerToolTable) {
  const results = new Map<string, string>();
  const payOnce = (toolCallId: string): string => {
    const result = results.get(toolCallId) ?? JSON.stringify(serverTools.pay?.({ toolCallId }));
    results.set(toolCallId, result);
    return result;
  };
  return {
    questions: (events: readonly ScriptedEvent[]) =>
      events.flatMap(({ toolCallId, toolCallName }) =>
        toolCallName === 'pay'
          ? [{ id: `ask-${toolCallId}`, reason: 'tool_call', toolCallId, message: 'Pay?' }]
          : [],
      ),
    results({ resume = [] }: RunAgentInput): ScriptedEvent[] {
      return resume.map(({ interruptId, status }) => {
        const toolCallId = interruptId.slice('ask-'.length);
        const content = status === 'resolved' ? payOnce(toolCallId) : '"not allowed"';
        return { type: 'TOOL_CALL_RESULT', messageId: `${interruptId}-result`, toolCallId, content };
      });
    },
  };
}

/** The responses to the latest message, and how many of them the thread has. */
function currentTurn(script: AgentScript, { messages }: RunAgentInput) {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const responses = script({ text: textOf(messages[start]), attempt: 1 });
  const ids = messages.slice(start + 1).map(({ id }) => id);
  return {
    responses,
    said: responses.filter((_, index) => ids.some((id) => id.startsWith(`r${index}-`))).length,
  };
}

function isClientCall(step: AgentResponse[number], serverTools: ServerToolTable): boolean {
  return typeof step === 'object' && 'call' in step && !Object.hasOwn(serverTools, step.call);
}

function* playResponse(
  steps: AgentResponse,
  id: string,
  serverTools: ServerToolTable,
  createCallId: () => string,
): Generator<ReturnType<Agent>[number]> {
  for (const [index, step] of steps.entries()) {
    const callId = createCallId();
    const messageId = `${id}-${index}-${callId}`;
    if (typeof step === 'string') yield* text(messageId, step);
    else if ('reasoning' in step) {
      yield { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' };
      yield { type: 'REASONING_MESSAGE_CONTENT', messageId, delta: step.reasoning };
      yield { type: 'REASONING_MESSAGE_END', messageId };
    } else if ('call' in step) {
      yield* call(callId, step.call, step.args ?? {}, messageId);
      if (step.call === 'pay' || isClientCall(step, serverTools)) continue;
      const content = JSON.stringify(serverTools[step.call]?.({ ...step.args }) ?? null);
      yield { type: 'TOOL_CALL_RESULT', messageId: `${messageId}-result`, toolCallId: callId, content };
    } else throw new Error(`The agent has no ${Object.keys(step).join(', ')}`);
  }
}

function textOf(message: Message | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}

/**
 * The history is what the latest input posted. Answers are those of all inputs: the same answer, posted again, is one answer, and
 * another one for the same call is a second.
 */
function toTranscript(inputs: readonly RunAgentInput[]): TranscriptLine[] {
  const users = (inputs.at(-1)?.messages ?? []).flatMap((message): TranscriptLine[] =>
    message.role === 'user' ? [{ user: textOf(message) }] : [],
  );
  const lines = new Map<string, TranscriptLine>();
  for (const message of inputs.flatMap(({ messages }) => messages)) {
    if (message.role === 'assistant')
      for (const { id, function: called } of message.toolCalls ?? [])
        lines.set(id, { call: id, toolName: called.name });
    if (message.role !== 'tool' || message.id.startsWith('ask-')) continue;
    const { toolCallId, content, error } = message;
    const line = error === undefined ? { result: JSON.parse(String(content)) } : { error };
    lines.set(JSON.stringify([toolCallId, content]), { answer: toolCallId, ...line });
  }
  // The answer to an interrupt is the entry that resumes the run. The result of its call is the server's own.
  for (const { interruptId, ...result } of inputs.flatMap(({ resume = [] }) => resume)) {
    const answer = interruptId.slice('ask-'.length);
    lines.set(JSON.stringify([answer, result]), { answer, result });
  }
  return [...users, ...lines.values()];
}
