/** No page at all: what a server renders, in each version of React, with nothing logged. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { conformanceCases, toolOf } from './conformance-cases.tsx';

/** The whole of it, what is loaded on demand included; without the marks React leaves for itself. */
function renderWhole(app: ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(app, {
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onError: reject,
    });
  }).then((html) => String(html).replace(/<!--.*?-->/g, ''));
}

test.each(conformanceCases)('a server renders the $name card, and no dialog', async (kase) => {
  expect(await renderWhole(<kase.Card tool={toolOf(kase)} />)).toContain('Place order');
  expect(await renderWhole(<kase.Dialog tool={toolOf(kase)} />)).toBe('');
  expect(await renderWhole(<ClientToolDialogs tools={[toolOf(kase)]} />)).toContain('role="status"');
});
