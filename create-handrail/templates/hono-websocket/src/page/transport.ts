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
