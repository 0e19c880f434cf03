import { createAgUiTransport } from 'handrail/ag-ui';
import { readSessionId } from './session-id.ts';

export const transport = createAgUiTransport({
  // Without your login behind it the page says who its person is: see src/agent/people.ts.
  url: '/api/agent?person=ada',
  // A page that is prerendered on a server has no visitor yet.
  threadId: typeof localStorage === 'undefined' ? 'prerendered' : readSessionId(),
});

/** What the server of this backend can do. AG-UI tells the agent of the tools of the page by itself. */
export const abilities = {};
