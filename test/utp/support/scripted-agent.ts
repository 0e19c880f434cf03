import { jetstream } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/nats-core';
import type { Clock } from '../../../src/shared/clock.ts';
import type { AgentWorker, WishedCall } from './agent-worker.ts';
import type { MemoryCards } from './memory-cards.ts';

/** The pieces of a text, at once or as the agent writes them. */
type Pieces = Iterable<string> | AsyncIterable<string>;

/** What an agent does in one turn: it thinks, says something (and may lose a chunk of it), or calls tools and waits for them. */
export type AgentStep =
  | { readonly reason: Pieces }
  /** `lose` is the place of a piece that does not arrive, from 0. */
  | { readonly say: Pieces; readonly lose?: number }
  | { readonly call: readonly WishedCall[] };

export interface TurnScript {
  readonly steps: Iterable<AgentStep> | AsyncIterable<AgentStep>;
  /** The card that the task delivers. */
  readonly deliverable?: string;
  /** The fields of the task that ends the turn. They are read after the last step. */
  readonly ending?: Readonly<Record<string, unknown>>;
}

export interface UiAction {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface AgentSettings {
  readonly nats: NatsConnection;
  readonly projectId: string;
  readonly worker: AgentWorker;
  readonly cards: MemoryCards;
  readonly clock: Clock;
}

/** The UI worker and the agent of a bench: takes actions, and publishes what CommonGround publishes about a turn. */
export async function startScriptedAgent(
  { nats, projectId, worker, cards, clock }: AgentSettings,
  script: (instruction: string) => TurnScript,
) {
  const agentId = worker.agentId;
  const prefix = `cg.v1r4.${projectId}.public`;
  const actions: UiAction[] = [];
  const seen = new Set<string>();
  const emit = (name: string, payload: object) =>
    jetstream(nats).publish(`${prefix}.evt.${name}`, JSON.stringify(payload));
  const event = (name: string, payload: object) =>
    emit(`agent.${agentId}.${name}`, { agent_id: agentId, agent_turn_id: worker.turnId, ...payload });
  const chunk = (payload: object) =>
    nats.publish(
      `${prefix}.str.agent.${agentId}.chunk`,
      JSON.stringify({ agent_turn_id: worker.turnId, ...payload }),
    );

  const write = async (stepId: string, type: 'content' | 'reasoning', pieces: Pieces, lose?: number) => {
    let index = 0;
    const send = (chunkType: string, content: string) => {
      // The start is the first chunk, so that piece 0 has the index 1.
      if (index - 1 !== lose) chunk({ step_id: stepId, chunk_type: chunkType, content, index });
      index += 1;
    };
    send('start', '');
    for await (const content of pieces) send(type, content);
    send('end', '');
  };

  const call = async (wishes: readonly WishedCall[]) => {
    const sent = [];
    for (const wish of wishes) sent.push(await worker.send(wish));
    const ms = Math.max(30_000, ...wishes.map(({ timeoutMs = 0 }) => timeoutMs));
    worker.suspend(ms);
    await event('state', {
      status: 'suspended',
      metadata: {
        activity: 'awaiting_tool_result',
        waiting_tool_call_ids: sent.map(({ toolCallId }) => toolCallId),
        waiting_tool_count: sent.length,
        resume_deadline: new Date(clock.now() + ms).toISOString(),
      },
    });
    await worker.resumed();
  };

  const runTurn = async (turn: TurnScript) => {
    const { steps, deliverable } = turn;
    worker.startTurn();
    await event('state', { status: 'running', metadata: { activity: 'thinking' } });
    let stepCount = 0;
    for await (const step of steps) {
      const stepId = `${worker.turnId}-${stepCount}`;
      stepCount += 1;
      await event('step', { step_id: stepId, phase: 'started' });
      if ('say' in step) await write(stepId, 'content', step.say, step.lose);
      else if ('reason' in step) await write(stepId, 'reasoning', step.reason);
      else await call(step.call);
      await event('step', { step_id: stepId, phase: 'completed' });
      if (worker.status === 'idle') break;
    }
    const cardId = `deliverable-${worker.turnId}`;
    if (deliverable !== undefined) {
      cards.put({
        ...{
          card_id: cardId,
          project_id: projectId,
          type: 'task.deliverable',
          content: { text: deliverable },
        },
        ...{ created_at: new Date(clock.now()).toISOString(), author_id: agentId, metadata: {} },
      });
    }
    await nats.flush();
    await event('task', {
      status: worker.ending ?? 'success',
      ...(deliverable !== undefined && { deliverable_card_id: cardId }),
      ...turn.ending,
    });
    worker.rest();
    await event('state', { status: 'idle', metadata: {} });
  };

  const take = async (message: Msg) => {
    const payload = JSON.parse(message.string()) as UiAction['payload'];
    const headers = Object.fromEntries(
      [...(message.headers ?? [])].map(([name, [value = '']]) => [name, value]),
    );
    actions.push({ headers, payload });
    const ack = (status: string, fields: object = {}) =>
      emit('sys.ui.action_ack', { action_id: payload.action_id, status, ...fields });
    if (!headers['CG-Agent-Id'] || !headers['CG-Turn-Id'])
      return ack('rejected', { error_code: 'missing_agent_turn_id' });
    if (seen.has(String(payload.action_id))) return ack('rejected', { error_code: 'protocol_violation' });
    if (worker.status !== 'idle') return ack('busy', { error_code: 'agent_busy' });
    seen.add(String(payload.action_id));
    await ack('accepted');
    const { instruction } = payload.args as { readonly instruction: string };
    await runTurn(script(instruction));
  };
  /** A test may end before the turn does. */
  const ignoreAfterClose = (thrown: unknown) => {
    if (!nats.isClosed()) throw thrown;
  };
  nats.subscribe(`${prefix}.cmd.sys.ui.action`, {
    callback: (_, message) => void take(message).catch(ignoreAfterClose),
  });
  return { actions };
}
