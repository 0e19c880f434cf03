/** The settings of the page. Kept in its address, so that a link shows the same. */

export type Carrier = 'sse' | 'socket';

/** Where questions are asked: in a dialog above the page, or in the conversation. */
export type Questions = 'dialog' | 'inline';

/** The person in front of the page. The server has the same people, and the playground no login. */
export type Person = 'ada' | 'grace';

export interface Settings {
  readonly carrier: Carrier;
  /** Id of a backend; undefined for the server's own choice. */
  readonly backend: string | undefined;
  readonly questions: Questions;
  readonly person: Person;
}

export function readSettings(search: string): Settings {
  const query = new URLSearchParams(search);
  return {
    carrier: query.get('carrier') === 'socket' ? 'socket' : 'sse',
    backend: query.get('backend') ?? undefined,
    questions: query.get('questions') === 'inline' ? 'inline' : 'dialog',
    person: query.get('person') === 'grace' ? 'grace' : 'ada',
  };
}

export function toSearch({ carrier, backend, questions, person }: Settings, session: string): string {
  const query = new URLSearchParams({
    carrier,
    ...(backend === undefined ? {} : { backend }),
    ...(questions === 'dialog' ? {} : { questions }),
    ...(person === 'ada' ? {} : { person }),
    session,
  });
  return `?${query}`;
}
