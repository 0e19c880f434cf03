// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { englishLabels, type Labels } from '../../../src/components/text/labels.ts';
import { LabelsProvider } from '../../../src/components/text/labels-context.tsx';
import { createTestTool } from '../create-test-tool.ts';

/** Labels that are their own keys, so that a hard-coded English text stands out. */
const keys = Object.fromEntries(
  Object.entries(englishLabels).map(([key, label]) => {
    if (typeof label === 'function') return [key, () => `⟦${key}⟧`];
    if (typeof label === 'string') return [key, `⟦${key}⟧`];
    return [key, Object.fromEntries(Object.keys(label).map((kind) => [kind, `⟦${kind}⟧`]))];
  }),
) as unknown as Labels;

const data = {
  title: '·',
  question: '·',
  list: [],
  nothing: null,
  yes: true,
  deep: { a: { b: { c: { d: 1 } } } },
};
const fields = [
  { name: 't', label: '·', type: 'text', required: true },
  { name: 's', label: '·', type: 'select', options: ['·'] },
  { name: 'p', label: '·', type: 'password' },
  { name: 'j', label: '·', type: 'json' },
  7,
];

test.each([
  [
    'confirmation',
    {
      args: data,
      definition: { severity: 'destructive', confirmWord: '·' },
      expiresAt: new Date('2199-01-01'),
    },
  ],
  [
    'approval',
    { args: { list: [], yes: true, deep: data.deep }, definition: { title: '·' }, approvalReason: 'policy' },
  ],
  ['form', { args: { ...data, fields } }],
  ['choice', { args: { ...data, options: ['·', '··'] } }],
  [
    'long choice',
    { args: { title: '·', options: Array.from({ length: 20 }, (_, index) => '·'.repeat(index + 1)) } },
  ],
] as const)('no string of a %s is out of reach', async (_, options) => {
  const user = userEvent.setup();
  const tools = [
    createTestTool({ toolName: '··', ...options, refusals: [{ settled: false, reason: 'expired' }] }),
    createTestTool({ toolName: '··', toolCallId: 'other' }),
  ];
  render(
    <LabelsProvider labels={keys}>
      <ClientToolDialogs tools={tools} />
    </LabelsProvider>,
  );
  await user.click(screen.getByRole('button', { name: /⟦(confirm|allow|submit)⟧/ }));
  const dialog = document.querySelector('.hr-dialog') as Element;
  const shown = [...dialog.querySelectorAll('*')].flatMap((element) => [
    ...[...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent ?? ''),
    ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
  ]);
  // The rest are names of arguments, made readable, and their JSON.
  const allowed = /^(⟦\w+⟧|[·\s:{}[\]"]*|List|Nothing|Yes|Deep|A|B|C|D|1|[1-9]|\{[\s\S]*\})$/;
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((text) => !allowed.test(text.replace(/⟦\w+⟧: /, '')) && !/⟦/.test(text))).toEqual([]);
});

test.each([
  [0, 'Answer within 0:00'],
  [9, 'Answer within 0:09'],
  [65, 'Answer within 1:05'],
  [3_599, 'Answer within 59:59'],
  [3_600, 'Answer within 1:00:00'],
  [86_399, 'Answer within 23:59:59'],
  [172_799, 'Answer within 1 day'],
  [604_799, 'Answer within 6 days'],
])('a deadline in %i seconds is shown as %s', (seconds, words) => {
  expect(englishLabels.answerWithin(seconds)).toBe(words);
});
