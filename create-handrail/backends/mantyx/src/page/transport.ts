import { createMantyxTransport } from 'handrail/mantyx';
import { WORKSPACE } from '../workspace.ts';
import { clientTools } from './client-tools.ts';

export const transport = createMantyxTransport({
  baseUrl: '/api/agent',
  workspace: WORKSPACE,
  session: true,
  tools: clientTools,
  fetch(input, init) {
    const url = new URL(String(input), location.href);
    // Without your login behind it the page says who its person is: see src/agent/people.ts.
    url.searchParams.set('person', 'ada');
    return fetch(url, init);
  },
});

/** What the server of this backend can do. The transport tells Mantyx of the tools of the page by itself. */
export const abilities = {};
