import { createHttpTransport } from 'handrail';
import { readSessionId } from './session-id.ts';

export const transport = createHttpTransport({
  // Without your login behind it the page says who its person is: see src/agent/people.ts.
  url: '/api/agent?person=ada',
  body: () => ({ sessionId: readSessionId() }),
});

/** What the server of this backend can do: keep the conversation, and be told of the tools of the page. */
export const abilities = { openOnStart: true, describeClientTools: true };
