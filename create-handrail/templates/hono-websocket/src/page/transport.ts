import { createSocketTransport } from 'handrail';
import { readSessionId } from './session-id.ts';

export const transport = createSocketTransport({
  url() {
    const url = new URL('/api/agent', location.href.replace(/^http/, 'ws'));
    // Without your login behind it the page says who its person is: see src/agent/people.ts.
    url.search = new URLSearchParams({ person: 'ada', session: readSessionId() }).toString();
    return url;
  },
});

/** What the server of this backend can do: keep the conversation, and be told of the tools of the page. */
export const abilities = { openOnStart: true, describeClientTools: true };
