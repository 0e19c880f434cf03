import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PendingInbox } from '../../../src/components.ts';
import { usePendingInbox } from '../../../src/react/use-pending-inbox.ts';

function Page() {
  return <PendingInbox inbox={usePendingInbox({ url: '/api/inbox' })} />;
}

test('an inbox on a server renders as loading', () => {
  expect(renderToString(<Page />)).toContain('Loading your questions…');
});
