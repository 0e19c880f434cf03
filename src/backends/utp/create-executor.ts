/** Runs the commands of a tool service: claim, hydrate, execute or wait for a person, save, report (CommonGround v1r4, `ToolRunner`). */
import { buildToolResult, findBrokenRule, type ToolEnding } from './build-tool-result.ts';
import type { ToolCommand, UtpToolCall } from './call.ts';
import { type Lease, RENEW_MS } from './claim.ts';
import { type Delivered, type DeliverySettings, deliverResult, reportResult } from './deliver-result.ts';
import { hydrateCall } from './hydrate-call.ts';
import { toCallKey } from './names.ts';
import type { PendingCalls } from './pending-calls.ts';
import type { ServiceScope } from './read-command.ts';
import { inStep, StepFailure, type UtpStep } from './step-failure.ts';
import { every, retry } from './timing.ts';
import { UtpToolError } from './tool-error.ts';
import { DEFAULT_TIMEOUT_MS, findUtpTool, type UtpToolFunction, type UtpTools } from './utp-tool.ts';

/** The parts that an executor is made of. */
export interface ExecutorSettings extends DeliverySettings, ServiceScope {
  readonly tools: UtpTools;
  readonly pending: PendingCalls;
  readonly createId: () => string;
}

/**
 * Returns a function that answers a command. It resolves when the command needs no redelivery: its result is reported, or its call
 * waits for a person in a stored row.
 *
 * The function rejects with a `StepFailure` if the claim could not be read, if another executor took over, or if the service stops while
 * NATS, the card store or L0 fail. The command must be delivered again then.
 */
export function createExecutor(settings: ExecutorSettings): (command: ToolCommand) => Promise<void> {
  return async (command) => {
    const { claims, pending, createId, signal } = settings;
    const { identity, payload, subject } = command;
    const tool = payload instanceof UtpToolError ? undefined : payload.toolName;
    const key = await toCallKey(identity.projectId, tool ?? subject.target, identity.toolCallId);
    // The command came again, and its call waits for a person already.
    if (await inStep('pending', () => pending.get(key))) return;
    const claim = await inStep('claim', () => claims.acquire(key, createId(), signal));
    if (claim.role === 'leader') {
      await answerAsLeader(settings, command, key, claim.lease);
    } else if (claim.payload) {
      // The leader may have died before its report. If it did not, L0 refuses this one.
      noteRefusal(settings, command, await reportResult(settings, identity, claim.payload));
    }
  };
}

async function answerAsLeader(
  settings: ExecutorSettings,
  command: ToolCommand,
  key: string,
  lease: Lease,
): Promise<void> {
  const { cards, clock, actor } = settings;
  const { identity } = command;
  const lost = new AbortController();
  const stopRenewing = every(clock, RENEW_MS, () => void renew(settings, command, lease, lost));
  // As long as the claim is renewed, a step is repeated here: a redelivery would wait for the claim, and run the tool again.
  const persist: Persist = (work) =>
    retry(work, {
      clock,
      signal: AbortSignal.any([settings.signal, lost.signal]),
      onFailure: (thrown) => noteFailure(settings, command, thrown),
    });
  try {
    const earlier = lease.isTakenOver
      ? await persist(() => inStep('hydrate', () => cards.get(identity.projectId, lease.cardId)))
      : undefined;
    if (earlier) {
      await persist(() => deliverResult(settings, identity, key, earlier));
      return;
    }
    const { call, fault } = await persist(() => hydrateCall(cards, command));
    const ending = await endOrWait(settings, command, { call, fault, key, persist, signal: lost.signal });
    if (ending === 'waits') return;
    if (lost.signal.aborted) throw new StepFailure('claim', lost.signal.reason);
    const fields = { cardId: lease.cardId, createdAt: new Date(clock.now()), authorId: actor };
    const card = buildToolResult(call, ending, fields);
    const brokenRule = findBrokenRule(card);
    if (brokenRule) note(settings, command, 'execute', brokenRule);
    noteRefusal(settings, command, await persist(() => deliverResult(settings, identity, key, card)));
  } finally {
    stopRenewing();
  }
}

/** Repeats a step that fails, until another executor takes over or the service stops. */
type Persist = <Value>(work: () => Promise<Value>) => Promise<Value>;

interface RunnableCall {
  readonly call: UtpToolCall;
  readonly fault?: unknown;
  readonly key: string;
  readonly persist: Persist;
  readonly signal: AbortSignal;
}

/** Returns how the call ended, or `waits` once the row of an interactive call is stored. */
async function endOrWait(
  settings: ExecutorSettings,
  command: ToolCommand,
  { call, fault, key, persist, signal }: RunnableCall,
): Promise<ToolEnding | 'waits'> {
  try {
    if (fault !== undefined) throw fault;
    const tool = findUtpTool(settings.tools, call.toolName);
    if (tool === undefined) {
      throw new UtpToolError(
        'not_found',
        `The tool service ${command.subject.target} has no tool ${call.toolName}.`,
      );
    }
    if (typeof tool === 'function') return await run(tool, call, command, signal);
    await persist(() => storeRow(settings, call, key, tool.timeoutMs));
    return 'waits';
  } catch (thrown) {
    if (thrown instanceof StepFailure) throw thrown;
    note(settings, command, fault === undefined ? 'execute' : 'hydrate', thrown);
    return { status: 'failed', error: thrown };
  }
}

async function run(
  tool: UtpToolFunction,
  call: UtpToolCall,
  { headers }: ToolCommand,
  signal: AbortSignal,
): Promise<ToolEnding> {
  return { status: 'success', result: await tool(call.args, { call, headers, signal }) };
}

async function storeRow(
  { pending, clock }: ExecutorSettings,
  call: UtpToolCall,
  key: string,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<void> {
  const receivedAt = clock.now();
  try {
    // A call that has a row already waits in it.
    await pending.create({ key, call, receivedAt, deadline: receivedAt + timeoutMs });
  } catch (thrown) {
    // The row is too large. It would be too large the next time as well.
    if (thrown instanceof UtpToolError) throw thrown;
    throw new StepFailure('pending', thrown);
  }
}

/** Renews the claim. A renewal that could not be sent proves nothing: the next one may arrive in time. */
async function renew(
  settings: ExecutorSettings,
  command: ToolCommand,
  lease: Lease,
  lost: AbortController,
): Promise<void> {
  try {
    const isOurs = await lease.renew();
    if (!isOurs) lost.abort(new Error('Another executor took over the call, because this one was too slow.'));
  } catch (thrown) {
    note(settings, command, 'claim', thrown);
  }
}

function noteRefusal(settings: ExecutorSettings, command: ToolCommand, delivered: Delivered): void {
  if (delivered.status === 'refused') note(settings, command, 'report', new Error(delivered.reason));
}

function noteFailure(settings: ExecutorSettings, command: ToolCommand, thrown: unknown): void {
  const [step, cause] =
    thrown instanceof StepFailure ? [thrown.step, thrown.cause] : (['execute', thrown] as const);
  note(settings, command, step, cause);
}

function note(
  { onFailure }: ExecutorSettings,
  { identity, subject }: ToolCommand,
  step: UtpStep,
  thrown: unknown,
): void {
  onFailure(thrown, {
    step,
    projectId: subject.projectId,
    toolCallId: identity.toolCallId,
  });
}
