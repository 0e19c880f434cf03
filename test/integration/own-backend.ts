/** Our own server with a scripted agent, over real connections. */

import type { Agent, AgentContext, AgentMessage, ModelEvent } from '../../src/server/agent.ts';
import { createNodeHandler } from '../../src/server/http/create-node-handler.ts';
import { readHistory } from '../../src/server/runs/history.ts';
import { createScriptedAgent, type ScriptEntry } from '../../src/server/scripted/create-scripted-agent.ts';
import type { ScriptStep } from '../../src/server/scripted/script-steps.ts';
import type { SessionErrorCode } from '../../src/server/session-errors.ts';
import { type AgentSession, createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import { serveSocket } from '../../src/server/socket/serve-socket.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentScript, AgentStep, BackendKind } from './backend.ts';
import { type Carrier, connect, SESSION } from './connect.ts';
import { listen } from './listen.ts';

const REFUSALS: readonly SessionErrorCode[] = [
  'invalid_request',
  'unknown_execution',
  'unknown_tool_call',
  'already_answered',
  'missing_tool_results',
  'execution_closed',
];

export function ownBackend(carrier: Carrier): BackendKind {
  return {
    name: `handrail/server over ${carrier}`,
    resumes: true,
    keepsRuns: true,
    numbersEvents: true,
    remembersMessages: true,
    async open(script, serverTools = {}) {
      let store = createMemorySessionStore();
      const refusals: string[] = [];
      const agent = createAccountingAgent(script, refusals);
      const open = () =>
        noteRefusals(createAgentSession({ id: SESSION, agent, store, tools: serverTools }), refusals);
      let session = open();
      const server = await listen(
        createNodeHandler((sessionId) => (sessionId === SESSION ? session : undefined)),
        (socket) => void serveSocket(socket, session),
      );
      return {
        transport: connect(carrier, server.port),
        port: server.port,
        refusals,
        async restart() {
          const record = await store.load(SESSION);
          // Live runs and logs belong to a store object: a new one has only the saved records.
          store = createMemorySessionStore();
          if (record !== null) await store.save(SESSION, structuredClone(record));
          session = open();
          server.cut();
        },
        readTranscript: async () => {
          const record = await store.load(SESSION);
          return toTranscript(record ? readHistory(record) : []);
        },
        cut: server.cut,
        close: server.close,
      };
    },
  };
}

/** Plays the script, and records a problem when a call has not exactly one answer at the next invocation. */
function createAccountingAgent(script: AgentScript, refusals: string[]): Agent {
  const holds = new Map<ModelEvent, (signal: AbortSignal) => Promise<unknown>>();
  const executions = new Map<string, string[]>();
  const attemptOf = ({ executionId }: AgentContext, text: string) => {
    const ids = executions.get(text) ?? [];
    executions.set(text, ids.includes(executionId) ? ids : [...ids, executionId]);
    return (executions.get(text) ?? []).indexOf(executionId) + 1;
  };
  const toStep = (step: AgentStep): ScriptStep => {
    if (typeof step === 'object' && 'hold' in step) {
      const event: ModelEvent = { type: 'notice', code: 'hold', text: 'hold' };
      holds.set(event, step.hold);
      return { event };
    }
    return step as ScriptStep;
  };
  const play = createScriptedAgent(({ text, context }) =>
    script({ text, attempt: attemptOf(context, text) }).map(
      (steps): ScriptEntry =>
        () =>
          steps.map(toStep),
    ),
  );
  return async function* (context) {
    refusals.push(...findMiscounts(context.messages));
    for await (const event of play(context)) {
      const hold = holds.get(event);
      if (hold === undefined) yield event;
      else await hold(context.signal);
    }
  };
}

function findMiscounts(messages: readonly AgentMessage[]): string[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return calls.flatMap(({ toolCallId }) => {
    const answers = messages.filter(
      (message) => message.role === 'tool' && message.toolCallId === toolCallId,
    );
    return answers.length === 1 ? [] : [`${toolCallId} has ${answers.length} answers`];
  });
}

function toTranscript(messages: readonly AgentMessage[]): readonly TranscriptLine[] {
  return messages.flatMap((message): TranscriptLine[] => {
    switch (message.role) {
      case 'user':
        return [{ user: message.content }];
      case 'assistant':
        return (message.toolCalls ?? []).map(({ toolCallId, toolName }) => ({ call: toolCallId, toolName }));
      case 'tool': {
        const { toolCallId, result, error } = message;
        return [{ answer: toolCallId, ...(error === undefined ? { result } : { error }) }];
      }
      default:
        return message satisfies never;
    }
  });
}

function noteRefusals(session: AgentSession, refusals: string[]): AgentSession {
  return {
    ...session,
    execute(payload, options) {
      // Not wrapped in a generator, whose `return()` would wait for the `next()` under way.
      const events = session.execute(payload, options);
      const next = events.next.bind(events);
      events.next = async () => {
        const step = await next();
        const event = step.value;
        if (event?.type === 'error' && REFUSALS.some((code) => code === event.code))
          refusals.push(event.message);
        return step;
      };
      return events;
    },
  };
}
