/** Each visitor has a conversation of their own, under an id that nobody can guess. */
export function readSessionId(): string {
  localStorage.sessionId ??= crypto.randomUUID();
  return localStorage.sessionId;
}
