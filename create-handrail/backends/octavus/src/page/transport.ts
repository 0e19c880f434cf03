import { createHttpTransport } from 'handrail';
import { readSessionId } from './session-id.ts';

export const transport = createHttpTransport({
  // Without your login behind it the page says who its person is: see src/agent/people.ts.
  url: '/api/agent?person=ada',
  body: () => ({ sessionId: readSessionId() }),
});

/** What the server of this backend can do. An agent of Octavus says in its own definition which tools the page has. */
export const abilities = {};
