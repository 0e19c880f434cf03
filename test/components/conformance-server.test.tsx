/** Without a DOM: the output of a server in each version of React, with nothing logged. */
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { conformanceCases, toolOf } from './conformance-cases.tsx';

test.each(conformanceCases)('a server renders the $name card and no dialog', (kase) => {
  expect(renderToString(<kase.Card tool={toolOf(kase)} />)).toContain('Place order');
  expect(renderToString(<kase.Dialog tool={toolOf(kase)} />)).toBe('');
  expect(renderToString(<ClientToolDialogs tools={[toolOf(kase)]} />)).toContain('role="status"');
});
