/** The settings of the page. Kept in its address, so that a link shows the same. */

export type Carrier = 'sse' | 'socket';

/** Where questions are asked: in a dialog above the page, or in the conversation. */
export type Questions = 'dialog' | 'inline';

/** Who sits in front of the page. The playground has no login. */
export const USERS = ['ada', 'grace', 'lin'] as const;
export type User = (typeof USERS)[number];

export interface Settings {
  readonly carrier: Carrier;
  /** Id of a backend; undefined for the server's own choice. */
  readonly backend: string | undefined;
  readonly questions: Questions;
  readonly user: User;
}

export function readSettings(search: string): Settings {
  const query = new URLSearchParams(search);
  return {
    carrier: query.get('carrier') === 'socket' ? 'socket' : 'sse',
    backend: query.get('backend') ?? undefined,
    questions: query.get('questions') === 'inline' ? 'inline' : 'dialog',
    user: USERS.find((user) => user === query.get('user')) ?? 'ada',
  };
}

export function toSearch({ carrier, backend, questions, user }: Settings, session: string): string {
  const query = new URLSearchParams({
    carrier,
    ...(backend === undefined ? {} : { backend }),
    ...(questions === 'dialog' ? {} : { questions }),
    ...(user === 'ada' ? {} : { user }),
    session,
  });
  return `?${query}`;
}
