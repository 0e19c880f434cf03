/** Decides who goes on in a thread. All of it is read from the rows, so that another process decides the same. */
import { isRecord, parseJson } from '../../../shared/json.ts';
import { type AnyAgentDefinition, type SideConfig, sideOf } from './agent-definition.ts';
import { readToolCalls, type Side, type ThreadMessage } from './thread-message.ts';

/**
 * - `model`: the model of the side is asked
 * - `respond`: the text of its stop tool becomes a message of the side
 * - `rest`: nobody goes on until there is a message
 * - `limit`: nobody goes on, because as many steps or turns as the agent may have are over
 */
export type NextStep =
  | { readonly type: 'model'; readonly side: Side }
  | { readonly type: 'respond'; readonly side: Side; readonly content: string }
  | { readonly type: 'rest' }
  | { readonly type: 'limit'; readonly reason: string };

/** A row of a side, and whose it is. */
interface SideRow {
  readonly row: ThreadMessage;
  readonly side: Side;
}

/** @param messages the rows of the thread; all calls have their results */
export function findNextStep(agent: AnyAgentDefinition, messages: readonly ThreadMessage[]): NextStep {
  const rows = messages.filter(({ depth }) => depth === 0);
  const session = readSession(rows);
  const last = session.at(-1);
  if (last === undefined) return rows.length === 0 ? { type: 'rest' } : { type: 'model', side: 'a' };
  if (last.row.status === 'failed') return { type: 'rest' };
  const { side } = last;
  const config = sideOf(agent, side);
  const turn = readTurn(session, config);
  const steps = turn.filter(({ row }) => isModelStep(row)).length;
  const stopText = readStopText(turn, config);
  if (last.row.role === 'tool' && stopText !== undefined) return { type: 'respond', side, content: stopText };
  const isOver = last.row.role === 'assistant' && (config.stopOnResponse !== false || stopText !== undefined);
  if (isOver) return agent.type === 'ai_human' ? { type: 'rest' } : findNextTurn(agent, session, side);
  const { maxSteps = Number.POSITIVE_INFINITY } = config;
  if (steps < maxSteps) return { type: 'model', side };
  return {
    type: 'limit',
    reason: `The model has been asked ${steps} times in one turn, the most that maxSteps allows`,
  };
}

function findNextTurn(
  { maxSessionTurns = Number.POSITIVE_INFINITY }: { readonly maxSessionTurns?: number },
  session: readonly SideRow[],
  side: Side,
): NextStep {
  const turns = session.filter((row, index) => row.side !== session[index - 1]?.side).length;
  if (turns < maxSessionTurns) return { type: 'model', side: side === 'a' ? 'b' : 'a' };
  return {
    type: 'limit',
    reason: `The session has had ${turns} turns, the most that maxSessionTurns allows`,
  };
}

/** The rows of the sides since the last message from outside. */
function readSession(rows: readonly ThreadMessage[]): readonly SideRow[] {
  const start = rows.findLastIndex(({ role }) => role === 'user' || role === 'system') + 1;
  let side: Side = 'a';
  return rows.slice(start).map((row) => {
    if (row.role === 'assistant') side = sideOfRow(row);
    return { row, side };
  });
}

/** Returns the side that wrote a message. */
export function sideOfRow({ metadata }: ThreadMessage): Side {
  return metadata?.side ?? 'a';
}

/** The rows of the last turn. A message without calls ends the one before it. */
function readTurn(session: readonly SideRow[], { stopOnResponse }: SideConfig): readonly SideRow[] {
  const side = session.at(-1)?.side;
  const isOtherTurn = (one: SideRow) =>
    one.side !== side || (stopOnResponse !== false && isResponse(one.row));
  return session.slice(session.slice(0, -1).findLastIndex(isOtherTurn) + 1);
}

function isResponse({ role, tool_calls }: ThreadMessage): boolean {
  return role === 'assistant' && !tool_calls;
}

function isModelStep({ role, metadata }: ThreadMessage): boolean {
  return role === 'assistant' && metadata?.queued !== true;
}

/** Returns the text of the stop tool if its call ended the turn: it is the last one, or only the message with its text came after. */
function readStopText(
  turn: readonly SideRow[],
  { stopTool, stopToolResponseProperty = '' }: SideConfig,
): string | undefined {
  const asking = turn.findLastIndex(({ row }) => readToolCalls(row).length > 0);
  const result = turn
    .slice(asking + 1)
    .find(({ row }) => row.role === 'tool' && row.name === stopTool && row.tool_status === 'success');
  if (stopTool === undefined || result === undefined) return undefined;
  const value = parseJson(result.row.content ?? '');
  const text = isRecord(value) ? value[stopToolResponseProperty] : undefined;
  return typeof text === 'string' ? text : JSON.stringify(text ?? null);
}
