/** The name of a run: a thread has no ids of its runs, so the message that started one names it. */
export interface RunName {
  readonly threadId: string;
  readonly messageId: string;
  /** Both ids as one text, for the engine. */
  readonly executionId: string;
}

export function toRunName(threadId: string, messageId: string): RunName {
  return { threadId, messageId, executionId: `${encodeURIComponent(threadId)}/${messageId}` };
}

export function readRunName(executionId: string): RunName {
  const end = executionId.indexOf('/');
  return {
    threadId: decodeURIComponent(executionId.slice(0, end)),
    messageId: executionId.slice(end + 1),
    executionId,
  };
}
