// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { englishComposerLabels } from '../../../src/components/text/composer-labels.ts';
import { englishErrorLabels } from '../../../src/components/text/error-labels.ts';
import { englishTranscriptLabels } from '../../../src/components/text/transcript-labels.ts';
import { englishUploadLabels } from '../../../src/components/text/upload-labels.ts';
import { Composer, LabelsProvider, Transcript, TurnError } from '../../../src/components.ts';
import { AgentChatError, type UIMessage } from '../../../src/core.ts';
import { de } from '../../../src/locales-de.ts';
import { settled } from '../../support/scripted-chat.ts';

const ENGLISH = Object.values({
  ...englishComposerLabels,
  ...englishErrorLabels,
  ...englishTranscriptLabels,
  ...englishUploadLabels,
}).flatMap((label): string[] => {
  if (typeof label === 'function') return [];
  return typeof label === 'string' ? [label] : Object.values(label);
});
/** Words that are the same in both languages. */
const SHARED = ['Agent'];

const messages: readonly UIMessage[] = [
  {
    id: '1',
    role: 'assistant',
    status: 'done',
    ending: 'stopped',
    createdAt: new Date(0),
    parts: [
      { type: 'reasoning', text: '·', status: 'done' },
      { type: 'operation', operationId: '1', name: '·', operationType: '·', status: 'cancelled' },
      { type: 'file', id: '1', mediaType: '·', url: '·', size: 1_000 },
    ],
  },
];
const error = new AgentChatError({ code: 'backend_error', message: '·', retryable: true, retryAfter: 1 });

test('every string of a transcript and a composer can be translated', async () => {
  const { container } = render(
    <LabelsProvider labels={de}>
      <Transcript messages={messages} status="streaming">
        <TurnError error={error} onRetry={() => {}} onDismiss={() => {}} />
      </Transcript>
      <Composer
        attachments
        status="awaiting-input"
        onSend={() => {}}
        onStop={() => {}}
        onUpload={() => Promise.reject('·')}
      />
    </LabelsProvider>,
  );
  const chooser = container.querySelector('input[type="file"]');
  if (chooser === null) throw new Error('There is no way to choose files.');
  fireEvent.change(chooser, { target: { files: [new File(['·'], '·')] } });
  await act(settled);
  const shown = [...container.querySelectorAll('*')].flatMap((element) => [
    ...[...element.childNodes].map((node) =>
      node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
    ),
    ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
  ]);
  expect(screen.getByRole('button', { name: 'Noch einmal' })).toBeTruthy();
  expect(shown.filter((words) => ENGLISH.includes(words) && !SHARED.includes(words))).toEqual([]);
  expect(new Set(shown.filter((words) => words !== '' && words !== '·')).size).toBeGreaterThan(20);
});

test('an error without a message is shown in the language of the labels', async () => {
  render(<Composer labels={de} onSend={() => Promise.reject(undefined)} />);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Hallo' } });
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' });
  await act(settled);
  expect(
    screen.getByText('Nicht gesendet: unbekannter Fehler', { selector: '.hr-composer-hint' }),
  ).toBeTruthy();
});
