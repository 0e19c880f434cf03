import { DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Clock } from '../../../../src/shared/clock.ts';
import type { AgentWorker, WishedCall } from './agent-worker.ts';
import type { MemoryCards } from './memory-cards.ts';

/** The pieces of a text, at once or as the agent writes them. */
type Pieces = Iterable<string> | AsyncIterable<string>;

/** A step of an agent: it thinks, says something, or calls tools and waits for them. */
export type AgentStep =
  | { readonly reason: Pieces }
  /** `lose` returns true for a chunk that does not arrive. The start of the step has the index 0, its first piece the index 1. */
  | { readonly say: Pieces; readonly lose?: (index: number) => boolean }
  | { readonly call: readonly WishedCall[] };

export interface TurnScript {
  readonly steps: Iterable<AgentStep> | AsyncIterable<AgentStep>;
  /** The card that the task delivers. */
  readonly deliverable?: string;
  /** The fields of the task that ends the turn. They are read after the last step. */
  readonly ending?: Readonly<Record<string, unknown>>;
  /** Why CommonGround does not carry out the action. */
  readonly refusal?: { readonly status: string; readonly error_code: string };
  /** The step before which the sender learns which turn its message began. Default: the first. */
  readonly namedBefore?: number;
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
  let gate: Promise<unknown> = Promise.resolve();
  const emit = (name: string, payload: object) =>
    jetstream(nats).publish(`${prefix}.evt.${name}`, JSON.stringify(payload));
  const event = (name: string, payload: object) =>
    emit(`agent.${agentId}.${name}`, { agent_id: agentId, agent_turn_id: worker.turnId, ...payload });
  const chunk = (payload: object) =>
    nats.publish(
      `${prefix}.str.agent.${agentId}.chunk`,
      JSON.stringify({ agent_turn_id: worker.turnId, ...payload }),
    );

  const write = async (
    stepId: string,
    type: 'content' | 'reasoning',
    pieces: Pieces,
    lose: (index: number) => boolean = () => false,
  ) => {
    let index = 0;
    const send = (chunkType: string, content: string) => {
      if (!lose(index)) chunk({ step_id: stepId, chunk_type: chunkType, content, index });
      index += 1;
    };
    send('start', '');
    for await (const content of pieces) send(type, content);
    send('end', '');
  };

  /** Saves a card, and returns its id. */
  const put = (card_id: string, type: string, content: object) => {
    const created_at = new Date(clock.now()).toISOString();
    cards.put({
      ...{ card_id, project_id: projectId, type, content, created_at },
      ...{ author_id: agentId, metadata: {} },
    });
    return card_id;
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

  /** Plays a turn. `onNamed` tells its sender which turn it is. */
  const runTurn = async (turn: TurnScript, onNamed: () => Promise<unknown> = async () => {}) => {
    const { steps, deliverable, namedBefore = 0 } = turn;
    worker.startTurn();
    await event('state', { status: 'dispatched', metadata: {} });
    await event('state', { status: 'running', metadata: { activity: 'thinking' } });
    if (namedBefore === 0) await onNamed();
    let stepCount = 0;
    for await (const step of steps) {
      const stepId = `${worker.turnId}-${stepCount}`;
      if (stepCount > 0 && stepCount === namedBefore) await onNamed();
      stepCount += 1;
      await event('step', { step_id: stepId, phase: 'started' });
      if ('say' in step) await write(stepId, 'content', step.say, step.lose);
      else if ('reason' in step) await write(stepId, 'reasoning', step.reason);
      else await call(step.call);
      await event('step', { step_id: stepId, phase: 'completed' });
      if (worker.status === 'idle') break;
    }
    await nats.flush();
    await event('task', {
      status: worker.ending ?? 'success',
      ...(deliverable !== undefined && {
        deliverable_card_id: put(`deliverable-${worker.turnId}`, 'task.deliverable', { text: deliverable }),
      }),
      ...turn.ending,
    });
    worker.rest();
    await event('state', { status: 'idle', metadata: {} });
  };

  const take = async (message: JsMsg) => {
    const payload = message.json<UiAction['payload']>();
    const headers = Object.fromEntries(
      [...(message.headers ?? [])].map(([name, [value = '']]) => [name, value]),
    );
    actions.push({ headers, payload });
    const actionId = String(payload.action_id);
    const ack = (status: string, fields: object = {}) =>
      emit('sys.ui.action_ack', { action_id: actionId, status, ...fields });
    if (!headers['CG-Agent-Id'] || !headers['CG-Turn-Id'])
      return ack('rejected', { error_code: 'missing_agent_turn_id' });
    if (seen.has(actionId)) return ack('rejected', { error_code: 'protocol_violation' });
    await ack('accepted');
    await gate;
    if (worker.status !== 'idle') return ack('busy', { error_code: 'agent_busy' });
    seen.add(actionId);
    const { instruction } = payload.args as { readonly instruction: string };
    const turn = script(instruction);
    if (turn.refusal) return ack(turn.refusal.status, turn.refusal);
    await runTurn(turn, () => {
      const result = { status: 'accepted', agent_id: agentId, agent_turn_id: worker.turnId };
      const card = put(`delegated-${actionId}`, 'tool.result', { status: 'success', result });
      return ack('done', { tool_result_card_id: card });
    });
  };
  /** A test may end before the turn does. */
  const ignoreAfterClose = (thrown: unknown) => {
    if (!nats.isClosed()) throw thrown;
  };
  // Read from the stream, which drops an action that is published again.
  const consumer = await jetstream(nats).consumers.get('cg_cmd_v1r4', {
    filter_subjects: `${prefix}.cmd.sys.ui.action`,
    deliver_policy: DeliverPolicy.New,
  });
  const messages = await consumer.consume();
  void (async () => {
    for await (const message of messages) void take(message).catch(ignoreAfterClose);
  })().catch(ignoreAfterClose);
  return {
    actions,
    runTurn,
    /** Actions are taken, and not carried out before the promise resolves. */
    holdActions(until: Promise<unknown>) {
      gate = until;
    },
  };
}
