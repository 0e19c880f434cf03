/**
 * Runs a thread (Standard Agents specification 0.1.0, "Runtime"): one step at a time, tool calls one after the other in the order of
 * the model's message, every result saved before the next step, and work that arrives meanwhile waits in a queue.
 */
import type { Clock } from '../../../shared/clock.ts';
import { createId } from '../../../shared/ids.ts';
import { toJsonValue } from '../../../shared/json.ts';
import { type AnyAgentDefinition, type SideConfig, sideOf } from './agent-definition.ts';
import { createThreadState } from './create-thread-state.ts';
import type { ToolSet } from './define-tool.ts';
import { findNextStep, sideOfRow } from './next-step.ts';
import type { OpenThread } from './open-thread.ts';
import { createSideMessage, runModelStep } from './run-model-step.ts';
import { runToolCall } from './run-tool-call.ts';
import { readResult, SessionEnds, STOPPED } from './session-ends.ts';
import { readSessionTool } from './session-tools.ts';
import { createSubagentTools } from './subagent-tools.ts';
import { type SubagentCall, Subagents, type ThreadFamily } from './subagents.ts';
import { takeFromQueue } from './take-from-queue.ts';
import type { NewMessage, Thread } from './thread.ts';
import { ThreadEffects } from './thread-effects.ts';
import { HookError, ThreadHooks } from './thread-hooks.ts';
import { findOpenCall, type OpenCall, type Side } from './thread-message.ts';
import type { QueuedWork } from './thread-record.ts';
import type { ExecutionState, RunCode, ThreadState } from './thread-state.ts';
import { ThreadTakenError } from './thread-store.ts';
import { ThreadWriter } from './thread-writer.ts';

/** The source of an error that the thread's clients do not get. */
export type ThreadFailureSource = 'model' | 'tool' | 'effect' | 'hook' | 'store';

interface RunnerSettings {
  readonly agent: AnyAgentDefinition;
  readonly runCode: RunCode | undefined;
  readonly clock: Clock;
  readonly agents: Readonly<Record<string, AnyAgentDefinition>>;
  readonly family: ThreadFamily;
  readonly onThrown: (thrown: unknown, source: ThreadFailureSource) => void;
}

export class ThreadRunner {
  readonly #thread: Thread;
  readonly #settings: RunnerSettings;
  readonly effects: ThreadEffects;
  readonly hooks: ThreadHooks;
  readonly subagents: Subagents;
  readonly ends: SessionEnds;
  readonly #writer: ThreadWriter;
  /** The state of the execution that is under way, how often it has asked a model, and whose turn it is. */
  #state: ThreadState | undefined;
  #steps = 0;
  #side: Side = 'a';
  /** The abort controller of the execution that is under way. */
  #execution: AbortController | undefined;

  constructor(thread: Thread, settings: RunnerSettings) {
    this.#thread = thread;
    this.#settings = settings;
    this.ends = new SessionEnds(thread);
    const { agent, clock, onThrown } = settings;
    this.effects = new ThreadEffects(thread, {
      ...{ effects: agent.effects ?? {}, clock },
      createState: () => this.createEndpointState(),
      onThrown: (thrown) => onThrown(thrown, 'effect'),
    });
    this.hooks = new ThreadHooks(agent.hooks ?? [], (thrown) => onThrown(thrown, 'hook'));
    this.subagents = new Subagents(thread, {
      ...{ family: settings.family, hooks: this.hooks },
      createState: () => this.#state ?? this.createEndpointState(),
      queueMessage: (message) => this.queueMessage(message),
      onThrown: (thrown) => onThrown(thrown, 'store'),
    });
    this.#writer = new ThreadWriter(thread, this.hooks, () => this.#state ?? this.createEndpointState());
  }

  get isRunning(): boolean {
    return this.#execution !== undefined;
  }

  /** The state for an endpoint: of no execution. */
  createEndpointState(): ThreadState {
    return createThreadState(this.#thread, this, { runCode: this.#settings.runCode, execution: null });
  }

  /** Adds a message to the queue. A message whose id is known is not added again: its sender lost the response. */
  async queueMessage(message: NewMessage): Promise<void> {
    const isKnown = () => message.id !== undefined && this.#thread.hasMessage(message.id);
    if (isKnown()) return this.#saveAndResume();
    const pending = await this.#writer.prepare({ ...message, status: 'pending' });
    // The sender may have sent it again while a hook had it.
    if (isKnown()) return this.#saveAndResume();
    await this.#queue({ type: 'message', message: pending });
    await this.#writer.tellCreated(pending);
  }

  open(threadId: string): Promise<OpenThread | undefined> {
    return this.#settings.family.find(threadId);
  }

  queueTool(name: string, args: unknown): Promise<void> {
    return this.#queue({ type: 'tool', id: createId(), name, args: toJsonValue(args, 'args') });
  }

  #queue(work: QueuedWork): Promise<void> {
    this.#thread.change({ queue: [...this.#thread.record.queue, work] });
    return this.#saveAndResume();
  }

  async #saveAndResume(): Promise<void> {
    await this.#thread.save();
    this.resume();
  }

  /** Starts an execution if there is work: in the queue, or left by a process that died. */
  resume(): void {
    const { queue, run } = this.#thread.record;
    if (this.#execution !== undefined || (queue.length === 0 && run === 'idle')) return;
    const execution = new AbortController();
    this.#execution = execution;
    this.ends.start();
    this.#execute(execution)
      .finally(() => {
        this.#execution = undefined;
        this.#state = undefined;
        this.#thread.send({ type: 'status', status: 'idle' });
      })
      .then(
        () => this.resume(),
        (thrown: unknown) => {
          this.#settings.onThrown(thrown, thrown instanceof HookError ? 'hook' : 'store');
          // Another process goes on with a thread that it has taken, and tells of its end.
          if (!(thrown instanceof ThreadTakenError)) this.ends.fail(thrown);
        },
      );
  }

  /** Ends the execution. Its open calls get an error as their result. Work in the queue starts the next execution. */
  stop(): void {
    if (this.#execution === undefined) return;
    this.#thread.change({ run: 'stopping' });
    this.#execution.abort();
  }

  async #execute({ signal }: AbortController): Promise<void> {
    const thread = this.#thread;
    this.#steps = 0;
    const state = createThreadState(thread, this, {
      runCode: this.#settings.runCode,
      execution: this.#createExecutionState(signal),
    });
    this.#state = state;
    if (thread.record.run === 'idle') thread.change({ run: 'running' });
    thread.send({ type: 'status', status: 'running' });
    this.#dropUnfinished();
    for (;;) {
      const open = findOpenCall(thread.record.messages);
      if (open !== undefined) await this.#runCall(open, state, signal);
      else if (thread.record.run === 'stopping') break;
      else if (thread.record.queue.length > 0) await takeFromQueue(thread, this.#writer);
      else if (!(await this.#goOn(state, signal))) break;
      await thread.save();
    }
    const isStopped = signal.aborted && thread.record.session === undefined;
    if (isStopped && thread.record.parent_id !== undefined) thread.change({ session: STOPPED });
    thread.change({ run: 'idle' });
    await thread.save();
    this.ends.tell();
  }

  #toolsOf(side: SideConfig, signal: AbortSignal): ToolSet {
    const { agents } = this.#settings;
    const toCall = (message: string): SubagentCall => {
      const open = findOpenCall(this.#thread.record.messages);
      const callId = open?.call.id ?? createId();
      return { key: `${open?.messageId ?? ''}/${callId}`, callId, message, signal };
    };
    return { ...side.tools, ...createSubagentTools(side, { agents, subagents: this.subagents, toCall }) };
  }

  #createExecutionState(signal: AbortSignal): ExecutionState {
    const runner = this;
    return {
      abortSignal: signal,
      get stepCount() {
        return runner.#steps;
      },
      get currentSide() {
        return runner.#side;
      },
      stop: () => this.#endAfterCalls(signal),
    };
  }

  async #runCall({ call, messageId }: OpenCall, state: ThreadState, signal: AbortSignal): Promise<void> {
    const thread = this.#thread;
    const asking = thread.record.messages.find(({ id }) => id === messageId);
    this.#side = asking === undefined ? 'a' : sideOfRow(asking);
    const side = sideOf(this.#settings.agent, this.#side);
    const result = await runToolCall(call, {
      ...{ tools: this.#toolsOf(side, signal), hooks: this.hooks, state, signal },
      onThrown: (thrown) => this.#settings.onThrown(thrown, 'tool'),
    });
    await this.#writer.create(result, (row) => thread.change(readSessionTool(side, call, row)));
  }

  /** Resolves to false if nobody goes on. */
  async #goOn(state: ThreadState, signal: AbortSignal): Promise<boolean> {
    const thread = this.#thread;
    const { agent, onThrown } = this.#settings;
    const next = findNextStep(agent, thread.record.messages);
    if (next.type === 'limit') thread.change({ session: { status: 'failed', message: next.reason } });
    if (next.type === 'rest' && thread.record.parent_id !== undefined) {
      thread.change({ session: readResult(thread.record.messages) });
    }
    if (next.type === 'limit' || next.type === 'rest') return false;
    if (next.type === 'respond') {
      await this.#writer.create(createSideMessage(agent, next.side, { content: next.content }));
      return true;
    }
    this.#steps += 1;
    this.#side = next.side;
    const tools = this.#toolsOf(sideOf(agent, next.side), signal);
    await runModelStep({
      ...{ thread, agent, tools, side: next.side, hooks: this.hooks, writer: this.#writer, state, signal },
      onThrown: (thrown) => onThrown(thrown, 'model'),
    });
    return true;
  }

  /** A tool that was stopped may call this when the next execution is already under way. */
  #endAfterCalls(signal: AbortSignal): void {
    if (this.#execution?.signal === signal) this.#thread.change({ run: 'stopping' });
  }

  /** Removes the message that a process was writing when it died, and those of its subagents: the model writes them again. */
  #dropUnfinished(): void {
    const { messages } = this.#thread.record;
    const unfinished = messages.findIndex(({ status }) => status === 'pending');
    if (unfinished >= 0) this.#thread.change({ messages: messages.slice(0, unfinished) });
  }
}
