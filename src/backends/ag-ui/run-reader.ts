import type { AgentEvent, TokenUsage } from '../../core/protocol/events.ts';
import { addTokenUsage, readTokenUsage } from '../../core/protocol/token-usage.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Clock } from '../../shared/clock.ts';
import { isRecord } from '../../shared/json.ts';
import { Activities } from './activities.ts';
import { byWorker, decodeEvent } from './decode-event.ts';
import { closeQuestion, endRun, tellNameless, toNotice } from './end-run.ts';
import { createChunkExpander } from './expand-chunks.ts';
import {
  findClosed,
  findEarlyQuestions,
  findQuestions,
  isAnswerable,
  type Questions,
  type RunSoFar,
  readInterrupts,
  waitsForServer,
} from './find-questions.ts';
import { toLegacyInterrupt } from './legacy-interrupt.ts';
import { type AgUiMemory, writeMemory } from './memory.ts';
import type { AgUiEvent, AgUiMessage, Interrupt } from './messages.ts';
import { OpenMessages } from './open-messages.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import { ThreadBuilder } from './thread-builder.ts';
import { showThread } from './to-ui-messages.ts';

/** Milliseconds after the end of a run in which another run may begin in the same response. */
const NEXT_RUN_MS = 50;
/** Milliseconds of silence after which a call that is complete is asked about: until then the server may do it itself, or ask for an approval. */
const SILENCE_MS = 500;

/** Reads the events of one response: what the page shows of them, the thread that the next run posts, and who has to answer what. */
export class RunReader {
  readonly #memory: AgUiMemory;
  readonly #io: TransportIO;
  readonly #clock: Clock;
  /** The names of the tools that the request named. The agent's other open calls are none of the page's business. */
  readonly #tools: ReadonlySet<string>;
  readonly #thread: ThreadBuilder;
  readonly #activities: Activities;
  readonly #repeats: RepeatedCalls;
  readonly #expand = createChunkExpander();
  readonly #agents = new Map<string, string>();
  readonly #open = new OpenMessages();
  /** The ids on the page of the calls that this response has asked about. */
  readonly #asked = new Set<string>();
  #legacy: Interrupt[] = [];
  /** The usage of the turn: each answer is a run of its own, and some servers end a run, go on, and end it again. */
  #usage: TokenUsage | undefined;
  #isOpened = false;
  /** True once the silence since the latest event was read. */
  #isSilent = false;
  #hasRunStarted = false;
  /** True once the memory belongs to the next request. */
  #isKept = false;
  #finished: AgUiEvent | undefined;

  /** @param memory the thread as the request posted it */
  constructor(memory: AgUiMemory, tools: ReadonlySet<string>, io: TransportIO, clock: Clock) {
    this.#memory = memory;
    this.#tools = tools;
    this.#io = io;
    this.#clock = clock;
    this.#usage = memory.usage;
    this.#thread = new ThreadBuilder(memory.posted, memory.state);
    this.#activities = new Activities(memory.activities ?? []);
    const { answers = [] } = memory;
    this.#repeats = new RepeatedCalls(this.#thread, (id) =>
      answers.some(({ toolCallId }) => toolCallId === id),
    );
  }

  /** True once the run has ended, and nothing of the server is open that could follow. */
  get isFinished(): boolean {
    return this.#finished !== undefined && !waitsForServer(this.#run, this.#interrupts());
  }

  read(events: readonly AgUiEvent[]): readonly AgentEvent[] {
    this.#isSilent = false;
    const opening: AgentEvent[] =
      this.#isOpened || events.length === 0 ? [] : [{ type: 'start', executionId: this.#memory.runId ?? '' }];
    this.#isOpened ||= events.length > 0;
    const read = events.flatMap(this.#expand).flatMap((event) => this.#readEvent(event));
    return [...opening, ...read, ...(this.isFinished ? this.#askAndKeep(this.#findQuestions()) : [])];
  }

  /** Milliseconds of silence after which `readSilence` has something to say; undefined if it never has. */
  silenceMs(): number | undefined {
    if (this.#isSilent) return undefined;
    if (this.isFinished) return NEXT_RUN_MS;
    return this.#thread.hasCalls ? SILENCE_MS : undefined;
  }

  /** Ends the run, or asks about the calls that are complete while a call of the server goes on. */
  readSilence(): readonly AgentEvent[] {
    this.#isSilent = true;
    if (this.isFinished) return this.end();
    return waitsForServer(this.#run, []) ? this.askEarly() : [];
  }

  /** Asks about the calls that are complete. The run goes on, or has been cut. */
  askEarly(): readonly AgentEvent[] {
    return this.#finished === undefined ? this.#askAndKeep(this.#findEarly()) : [];
  }

  /** Returns the events that end the run or ask for answers; none for a response that was cut. */
  end(): readonly AgentEvent[] {
    if (this.#finished === undefined || this.#isKept) return [];
    // Kept before the calls are told of: some are answered at once, and the answer is written into this thread.
    this.close();
    const questions = this.#findQuestions();
    const asked = this.#ask(questions);
    const end = endRun(this.#outcome.type, questions, this.#memory.runId ?? '', (id) =>
      this.#thread.pageIdOf(id),
    );
    return [...this.#tellUsage(), ...asked, ...end];
  }

  /** Keeps the thread as far as it has come. After that the memory belongs to the next request. */
  close(): void {
    if (!this.#isOpened || this.#isKept) return;
    this.#isKept = true;
    this.#keep();
  }

  #keep(): void {
    const { messages, state } = this.#thread;
    // An agent that asks something new has taken the answers to what it asked before.
    const before = this.#asked.size > 0 ? [] : this.#memory.interrupts;
    const interrupts = this.#finished ? this.#interrupts() : before;
    const usage = this.#usage;
    writeMemory(this.#io.memory, {
      ...this.#memory,
      after: messages,
      state,
      interrupts,
      activities: this.#activities.all,
      ...(usage !== undefined && { usage }),
    });
  }

  /** Asks while the response is open. A page that is left now comes back with the question, and needs the thread that has it. */
  #askAndKeep(questions: Questions): readonly AgentEvent[] {
    const asked = this.#ask(questions);
    if (asked.length > 0 && !this.#isKept) this.#keep();
    return asked;
  }

  #readEvent(event: AgUiEvent): readonly AgentEvent[] {
    this.#open.add(event);
    const events = this.#repeats.take(event).flatMap((taken) => this.#apply(taken));
    const notices = this.#repeats.takeTold().map((id) => {
      const pageId = this.#thread.pageIdOf(id);
      return toNotice('repeated_call', 'The agent announced a call again under the same id.', pageId);
    });
    return [...events, ...notices];
  }

  #apply(event: AgUiEvent): readonly AgentEvent[] {
    const { type } = event;
    if (type === 'RUN_STARTED' && this.#finished) this.#beginAgain();
    const before = this.#thread.messages;
    this.#thread.add(event);
    switch (type) {
      case 'RUN_STARTED':
        this.#hasRunStarted = true;
        break;
      case 'RUN_FINISHED':
        return this.#finish(event);
      case 'RUN_ERROR':
        this.#addUsage(event);
        return [...this.#tellUsage(), ...(decodeEvent(event, this.#thread) ?? [])];
      case 'SUBAGENT_STARTED':
        this.#agents.set(String(event.subagentRunId), String(event.name));
        break;
      case 'CUSTOM':
        if (event.name !== 'on_interrupt') break;
        this.#legacy.push(toLegacyInterrupt(event, this.#legacy.length));
        return [];
      case 'ACTIVITY_SNAPSHOT':
      case 'ACTIVITY_DELTA':
        return byWorker(event, this.#activities.read(event));
      case 'MESSAGES_SNAPSHOT':
        return [
          this.#replaceMessages(before),
          ...findClosed(before, this.#thread).flatMap((closed) => this.#closeQuestion(...closed)),
          ...this.#activities.readSnapshot(event),
        ];
      case 'TOOL_CALL_RESULT':
        return [
          ...this.#closeQuestion(String(event.toolCallId), event),
          // An agent may say first that it asks a person about its call, and later what came of it.
          ...(hasResult(before, event) ? [this.#replaceMessages(before)] : []),
          ...(decodeEvent(event, this.#thread) ?? []),
        ];
    }
    const events = decodeEvent(event, this.#thread);
    if (events === undefined) this.#io.onUnknownEvent(event);
    return events ?? [];
  }

  /** Another run follows in the same response. */
  #beginAgain(): void {
    this.#finished = undefined;
    this.#legacy = [];
  }

  /** @param thread the messages as they were before */
  #replaceMessages(thread: ThreadBuilder['messages']): AgentEvent {
    const known = { thread, shown: this.#io.chat.messages() };
    const isOpen = (part: string, id: string) => this.#open.isOpen(part, id);
    const at = new Date(this.#clock.now());
    return { type: 'messages-replaced', ...showThread(this.#thread.messages, known, isOpen, at) };
  }

  /** @param answer what the server answers itself; undefined if it has taken the call back */
  #closeQuestion(id: string, answer: AgUiMessage | AgUiEvent | undefined): readonly AgentEvent[] {
    const toolCallId = this.#thread.pageIdOf(id);
    return this.#asked.delete(toolCallId) ? [closeQuestion(toolCallId, answer)] : [];
  }

  /** Adds the usage of a run, which has one entry per model. */
  #addUsage({ usage }: AgUiEvent): void {
    for (const entry of [usage ?? []].flat())
      this.#usage = addTokenUsage(this.#usage ?? {}, readTokenUsage(entry) ?? {});
  }

  #tellUsage(): readonly AgentEvent[] {
    return this.#usage === undefined ? [] : [{ type: 'usage', usage: this.#usage }];
  }

  #finish(event: AgUiEvent): readonly AgentEvent[] {
    this.#finished = event;
    this.#addUsage(event);
    const ends = this.#open.takeEnds();
    const notices: AgentEvent[] = [];
    if (ends.length > 0)
      notices.push(toNotice('unclosed_message', 'The run ended within a message or a call.'));
    if (!this.#hasRunStarted)
      notices.push(toNotice('missing_run_started', 'The run began without RUN_STARTED.'));
    notices.push(...tellNameless(readInterrupts(event.outcome, this.#legacy)));
    return [...ends.flatMap((end) => this.#readEvent(end)), ...notices];
  }

  #interrupts(): readonly Interrupt[] {
    return readInterrupts(this.#finished?.outcome, this.#legacy).filter(isAnswerable);
  }

  get #outcome(): Readonly<Record<string, unknown>> {
    const outcome = this.#finished?.outcome;
    return isRecord(outcome) ? outcome : {};
  }

  get #run(): RunSoFar {
    const [memory, thread, tools, agents] = [this.#memory, this.#thread, this.#tools, this.#agents];
    return { memory, thread, tools, agents, repeated: this.#repeats };
  }

  #findQuestions(): Questions {
    const outcome = this.#outcome;
    const questions = findQuestions(this.#run, outcome, this.#interrupts());
    return outcome.type === 'cancelled' ? { ...questions, toolCalls: [] } : questions;
  }

  #findEarly(): Questions {
    return findEarlyQuestions(this.#run, (id) => this.#open.isOpen('TOOL_CALL', id));
  }

  /** Asks about what this response has not asked about yet. */
  #ask({ executionId, toolCalls }: Questions): readonly AgentEvent[] {
    const isNew = toolCalls.some(({ toolCallId }) => !this.#asked.has(toolCallId));
    if (!isNew) return [];
    for (const { toolCallId } of toolCalls) this.#asked.add(toolCallId);
    return [{ type: 'client-tool-request', executionId, toolCalls, responseGoesOn: true }];
  }
}

function hasResult(thread: ThreadBuilder['messages'], { toolCallId, content }: AgUiEvent): boolean {
  return thread.some((message) => message.toolCallId === toolCallId && message.content !== content);
}
