/** A scripted agent in place of the model behind the stand-in for Mantyx. */
import type { Agent, AgentMessage, AgentToolCall, AgentToolMessage } from 'handrail/server';
import type { MantyxAnswer, MantyxScript, MantyxStep } from '../../test/support/mantyx-platform-script.ts';
import { readJson } from './read-json.ts';
import { serverTools } from './server-tools.ts';

export function createMantyxScript(agent: Agent): MantyxScript {
  const conversations = new Map<string, AgentMessage[]>();
  let runs = 0;

  return async function* ({ text, sessionId = '', answers, signal }) {
    const messages = conversations.get(sessionId) ?? [];
    conversations.set(sessionId, messages);
    runs += 1;
    const executionId = `run-${runs}`;
    const trigger = { name: 'user-message', input: { USER_MESSAGE: text } };
    messages.push({ role: 'user', content: text, trigger: trigger.name, input: trigger.input });
    const idOf = ({ toolCallId }: AgentToolCall) => `${executionId}-${toolCallId}`;

    for (;;) {
      let content = '';
      let toolCalls: readonly AgentToolCall[] = [];
      for await (const event of agent({ sessionId, executionId, messages, trigger, signal })) {
        if (event.type === 'text-delta') {
          content += event.delta;
          yield event.delta;
        } else if (event.type === 'reasoning-delta') yield { thinking: event.delta };
        else if (event.type === 'tool-request') toolCalls = event.toolCalls;
        else if (event.type === 'error') return yield toFailure(event.message, event.retryable);
      }
      const own = toolCalls.filter(({ toolName }) => Object.hasOwn(serverTools, toolName));
      const ofClient = toolCalls.filter((call) => !own.includes(call));
      const results: AgentToolMessage[] = [];
      for (const call of own) {
        const result = await runServerTool(call, signal);
        yield { serverTool: call.toolName, input: call.args, result: JSON.stringify(result) };
        results.push({ role: 'tool', toolCallId: call.toolCallId, toolName: call.toolName, result });
      }
      if (ofClient.length > 0) {
        yield { calls: ofClient.map((call) => ({ call: call.toolName, args: call.args, id: idOf(call) })) };
      }
      // Added once the call is answered: a run that is cancelled before leaves no open call in the history.
      for (const call of ofClient) results.push(toToolMessage(call, answers.get(idOf(call))));
      messages.push(
        { role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) },
        ...results,
      );
      if (toolCalls.length === 0) return;
    }
  };
}

async function runServerTool({ toolName, args }: AgentToolCall, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  return Object.entries(serverTools).find(([name]) => name === toolName)?.[1](args);
}

function toToolMessage({ toolCallId, toolName }: AgentToolCall, answer?: MantyxAnswer): AgentToolMessage {
  const outcome =
    answer?.result === undefined
      ? { error: answer?.error ?? 'There was no answer.' }
      : { result: readJson(answer.result) };
  return { role: 'tool', toolCallId, toolName, ...outcome };
}

function toFailure(error: string, retryable: boolean): MantyxStep {
  return { event: 'error', payload: { error, code: 'overloaded', errorClass: 'overloaded', retryable } };
}
