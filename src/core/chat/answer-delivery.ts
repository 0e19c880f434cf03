import type { OpenCommand, RespondCommand, RunCommand } from '../protocol/commands.ts';
import type { Conversation } from '../state/conversation.ts';
import { isUndelivered, type ToolCall, type ToolCallAnswer } from '../state/tool-call.ts';
import { outcomes } from '../tools/outcomes.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import type { Turn, TurnRequest } from './turn.ts';

/**
 * How answers reach the backend. No other file of the engine looks at `capabilities.results`, or decides by what follows from it.
 *
 * | | `together` | `one-by-one` |
 * |---|---|---|
 * | answers are sent | once every call of the run has one, in one request; to a server that stores each, those of a person at once | each at once, in a request of its own |
 * | the request with answers | continues the run; its response takes over from the one that asked | is short; the run goes on in the response that is open |
 * | the run's `finish` | ends the turn, unless the client still owes answers | ends the turn |
 * | a run that is resumed | says itself which answers it is missing | gets unconfirmed answers again |
 */
export interface AnswerDelivery {
  /**
   * The commands that deliver the answers of `settled` calls, each to the run that asked.
   *
   * @param open the calls of the turn that have no answer yet
   * @param cursor the position in the run, to resume from if the response is cut
   */
  toCommands(
    settled: readonly ToolCall[],
    open?: readonly ToolCall[],
    cursor?: string,
  ): readonly RespondCommand[];
  /** True if the settled answers of the turn can be sent while `open` calls have none. No answer of a person waits for that of another. */
  canSend(turn: Turn, open: readonly ToolCall[]): boolean;
  /**
   * True if the response to this command brings the rest of the run, so that its request takes over the turn. Sent again, such a command goes
   * on with the run, too. A single answer gets a short response: the run goes on elsewhere.
   */
  readsRun(command: RunCommand | OpenCommand): boolean;
  /** True if the end of this response can be the end of the turn. */
  canEndTurn(turn: Turn, request: TurnRequest): boolean;
  /** True if this response is complete without a `finish`. */
  isCompleteWithoutFinish(request: TurnRequest): boolean;
  /** Returns the open request that has nothing to say as long as calls are `open`. */
  silentRequest(turn: Turn, open: readonly ToolCall[]): TurnRequest | undefined;
  /** True if the `finish` of a response can be a pause: the run ends a response at its questions, and waits for the answers. */
  canPause(): boolean;
  /**
   * True if unconfirmed answers are sent again as soon as their run is resumed. Otherwise the run says first which answers it is missing: it
   * pauses again.
   */
  resendsOnResume(): boolean;
  /** The answer in place of an expired one, where a call without an answer would hold back the others. */
  readonly forExpired: ToolCallAnswer | undefined;
}

export function createAnswerDelivery({ capabilities }: AgentTransport): AnswerDelivery {
  return capabilities.results === 'together' ? TOGETHER : ONE_BY_ONE;
}

const TOGETHER: AnswerDelivery = {
  toCommands(settled, open = [], cursor) {
    // A call that ended here because a message took its place is refused if others have to answer it, and all that is sent with it.
    const own = settled.filter((call) => !isForOthers(call));
    const runs = new Set(own.map(({ executionId }) => executionId));
    const toCommand = (run: string) => {
      const calls = own.filter(({ executionId }) => executionId === run);
      return createRespondCommand(calls, cursor, open.length > 0 || own.length < settled.length);
    };
    return [...runs].map(toCommand);
  },
  canSend({ current, hasPersonsAnswer = false }, open) {
    // A response that goes on behind its questions is still the agent's turn to speak.
    if (current?.isOpen && current.goesOn) return false;
    // Handlers settle together, so their answers go together.
    const isAsked = hasPersonsAnswer || open.some(({ stage }) => stage === 'waiting');
    return open.length === 0 || open.some((call) => isForOthers(call) || (call.partial && isAsked));
  },
  readsRun: () => true,
  canEndTurn: (turn, request) => request === turn.current,
  isCompleteWithoutFinish: ({ mayEndEarly }) => mayEndEarly === true,
  silentRequest: () => undefined,
  canPause: () => true,
  resendsOnResume: () => false,
  forExpired: outcomes.superseded(),
};

const ONE_BY_ONE: AnswerDelivery = {
  toCommands: (settled, _open, cursor) => settled.map((call) => createRespondCommand([call], cursor)),
  canSend: () => true,
  readsRun: ({ type }) => type !== 'respond',
  canEndTurn: () => true,
  isCompleteWithoutFinish: () => false,
  silentRequest: ({ current }, open) => (open.length > 0 ? current : undefined),
  canPause: () => false,
  resendsOnResume: () => true,
  forExpired: undefined,
};

function isForOthers({ request }: ToolCall): boolean {
  return request.mayAnswer === false;
}

/** The settled calls of the turn whose answers have not been sent, in the order they were requested. */
export function selectUndelivered({ calls }: Conversation): readonly ToolCall[] {
  return calls.filter((call) => call.stage === 'settled' && isUndelivered(call));
}

/** @param isPartial other calls of the run have no answer yet */
function createRespondCommand(
  calls: readonly ToolCall[],
  cursor: string | undefined,
  isPartial = false,
): RespondCommand {
  const serverToolResults = calls.flatMap((call) => call.serverToolResults);
  return {
    type: 'respond',
    executionId: calls[0]?.executionId ?? '',
    answers: calls.map(toToolAnswer),
    // Each call carries the server results of its request; each result goes back once.
    serverToolResults: [...new Map(serverToolResults.map((result) => [result.toolCallId, result])).values()],
    cursor,
    ...(isPartial && { partial: true }),
  };
}

function toToolAnswer(call: ToolCall): RespondCommand['answers'][number] {
  const {
    toolCallId,
    toolName,
    args: _args,
    originalArgs: _originalArgs,
    source: _source,
    deadline: _deadline,
    question: _question,
    mayAnswer: _mayAnswer,
    waitsFor: _waitsFor,
    ...echo
  } = call.request;
  return {
    toolCallId,
    toolName,
    ...(call.answer as ToolCallAnswer),
    ...(call.sent && { repeated: true }),
    echo,
  };
}
