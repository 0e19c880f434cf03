/**
 * How a tool call ended. A call settles once, with exactly one of these.
 *
 * - `submitted`: a value was given and passed validation
 * - `declined`: the person declined; an answer, not a failure
 * - `cancelled`: dismissed without an answer
 * - `timed-out`: our own limit (`timeoutMs`) ran out
 * - `aborted`: the turn was stopped or the chat destroyed
 * - `expired`: the other side no longer wants the answer
 * - `superseded`: a newer user message took its place
 * - `failed`: no handler, invalid arguments, the handler threw, or its result could not be sent
 */
export type ToolOutcome =
  | 'submitted'
  | 'declined'
  | 'cancelled'
  | 'timed-out'
  | 'aborted'
  | 'expired'
  | 'superseded'
  | 'failed';
