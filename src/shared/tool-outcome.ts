/**
 * The ways in which a tool call ends. A call settles once, with exactly one outcome.
 *
 * - `submitted`: the handler or the person gave a value, and it passed validation
 * - `declined`: the person said no, which is an answer and not a failure
 * - `cancelled`: the person dismissed the question without an answer
 * - `timed-out`: the tool's own limit (`timeoutMs`) ran out
 * - `aborted`: the turn was stopped or the chat destroyed
 * - `expired`: the agent no longer waits for the answer
 * - `superseded`: the person sent another message instead
 * - `failed`: no handler, invalid arguments, the handler threw, its result could not be sent, or its question not shown
 */
export type ToolOutcome = (typeof TOOL_OUTCOMES)[number];

export const TOOL_OUTCOMES = [
  'submitted',
  'declined',
  'cancelled',
  'timed-out',
  'aborted',
  'expired',
  'superseded',
  'failed',
] as const;
