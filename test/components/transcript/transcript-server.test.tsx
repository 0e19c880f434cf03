/** Without a DOM: the output of a server in each version of React, with nothing logged. */
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Transcript } from '../../../src/components.ts';
import type { UIMessage } from '../../../src/core.ts';

test('a server renders a whole conversation', () => {
  const said: UIMessage = {
    id: '1',
    role: 'assistant',
    parts: [{ type: 'text', text: 'Hello', status: 'done' }],
    status: 'done',
    createdAt: new Date('2026-01-05T10:00:00Z'),
  };
  expect(renderToString(<Transcript messages={[said]} />)).toContain('Hello');
});
