/// <reference types="vite/client" />
/** Parts of a conversation under user preferences: colours, motion, direction and available width. */
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import {
  AuditTrail,
  ClientToolDialogs,
  Composer,
  englishLabels,
  LabelsProvider,
  Notices,
  RememberedChoices,
  ToolCallView,
  Transcript,
  TurnError,
} from '../../src/components.ts';
import { AgentChatError, createAuditTrail, createRememberedChoices, type UIMessage } from '../../src/core.ts';
import { MarkdownText } from '../../src/markdown.ts';
import { RunCodeCard, runCodeTool } from '../../src/sandbox.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const emulate = (...features: readonly [name: string, value: string][]) =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: features.map(([name, value]) => ({ name, value })),
  });

afterEach(async () => {
  cleanup();
  document.documentElement.dir = '';
  await emulate();
  await page.viewport(1280, 800);
});

const long = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4);
const createdAt = new Date(0);
const messages: readonly UIMessage[] = [
  { id: '1', role: 'user', status: 'done', createdAt, parts: [{ type: 'text', text: long, status: 'done' }] },
  {
    id: '2',
    role: 'assistant',
    status: 'streaming',
    createdAt,
    parts: [
      { type: 'reasoning', text: long, status: 'streaming' },
      { type: 'text', text: long, status: 'done' },
      {
        type: 'file',
        id: '1',
        mediaType: 'text/plain',
        url: 'https://example.com/a',
        filename: `${long}.txt`,
      },
      { type: 'source', sourceType: 'url', id: '1', url: `https://example.com/${long}`, title: long },
      { type: 'tool-call', toolCallId: '1', toolName: long, args: { [long]: long }, status: 'running' },
      { type: 'operation', operationId: '1', operationType: 'search', name: long, status: 'running' },
    ],
  },
];
const error = new AgentChatError({ code: 'http_error', message: long, retryable: true });

async function show() {
  const trail = createAuditTrail();
  const call = {
    toolCallId: '1',
    toolName: long,
    args: { to: long },
    requestedAt: createdAt,
    settledAt: createdAt,
  };
  await trail.record({ ...call, key: '1', outcome: 'failed', answeredBy: 'automatic', error: long });
  const choices = createRememberedChoices();
  await choices.remember(
    { toolName: long, args: {}, conversationId: '1' },
    { choice: 'allowed', scope: 'browser' },
  );
  const { container } = render(
    <main>
      <Notices notices={[{ code: 'late', text: long }]} />
      <Transcript messages={messages} status="streaming">
        <TurnError error={error} onRetry={() => {}} onDismiss={() => {}} />
      </Transcript>
      <Composer attachments status="streaming" onSend={() => {}} onStop={() => {}} />
      <RememberedChoices choices={choices} />
      <AuditTrail trail={trail} />
    </main>,
  );
  for (const details of container.querySelectorAll('details')) details.open = true;
  return container;
}

const styleOf = (element: Element) => getComputedStyle(element);
const hasRing = (element: Element) =>
  styleOf(element).outlineStyle !== 'none' && styleOf(element).outlineWidth !== '0px';

/** The focus ring of the transcript lies in a layer above its messages. */
const hasRingAround = ({ parentElement }: Element) =>
  parentElement !== null && getComputedStyle(parentElement, '::after').borderTopWidth === '2px';

describe('the pieces of a conversation', () => {
  test('parts of a conversation show their focus in forced colours', async () => {
    await emulate(['forced-colors', 'active'], ['prefers-reduced-motion', 'reduce']);
    const container = await show();
    const controls = [
      ...container.querySelectorAll<HTMLElement>('button, textarea, summary, a[href], [tabindex="0"]'),
    ];
    expect(controls.length).toBeGreaterThan(12);
    for (const control of controls) {
      control.focus({ focusVisible: true } as FocusOptions);
      const box = control.closest('.hr-composer-box') ?? control;
      const shown = hasRing(control) || hasRing(box) || hasRingAround(control);
      expect(shown, control.outerHTML.slice(0, 300)).toBe(true);
    }
  });

  test('parts of a conversation do not move with reduced motion', async () => {
    await emulate(['prefers-reduced-motion', 'reduce']);
    const container = await show();
    // The spinner goes on at a quarter of its speed. A still spinner would look like a stopped agent.
    const moving = document.getAnimations().map(({ effect }) => effect?.getTiming().duration);
    expect(moving).toEqual([4_000]);
    for (const element of container.querySelectorAll('*')) {
      expect(styleOf(element).transitionDuration, element.className).toMatch(/^0s(, 0s)*$/);
    }
  });

  test.each([
    ['ltr', 360, 740],
    ['rtl', 360, 740],
    ['ltr', 320, 256],
  ] as const)(
    'parts of a conversation cut nothing off, %s, %i pixels wide, with words of any length',
    async (dir, width, height) => {
      await page.viewport(width, height);
      document.documentElement.dir = dir;
      const container = await show();
      expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
      for (const element of container.querySelectorAll('p, li, dd, dt, summary, button, a, span')) {
        if (styleOf(element).display === 'inline' || element.matches('.hr-hidden')) continue;
        expect(element.scrollWidth, element.outerHTML.slice(0, 200)).toBeLessThanOrEqual(
          element.clientWidth + 1,
        );
      }
    },
  );
});

test('a word of the kit beside a long tool name is not broken', async () => {
  await page.viewport(320, 568);
  const part = { type: 'tool-call', toolCallId: '1', toolName: 'read_calendar_entries', args: {} } as const;
  const labels = { callStatus: { ...englishLabels.callStatus, failed: 'fehlgeschlagen' } };
  const { getByText } = render(
    <LabelsProvider labels={labels}>
      <ToolCallView part={{ ...part, status: 'error', outcome: 'failed' }} />
    </LabelsProvider>,
  );
  const { height } = getByText('fehlgeschlagen').getBoundingClientRect();
  expect(height).toBeLessThan(1.5 * Number.parseFloat(styleOf(getByText('fehlgeschlagen')).lineHeight));
});

test('JSON and program output read from the left on a right-to-left page', () => {
  document.documentElement.dir = 'rtl';
  const result = { status: 'success', durationMs: 12, result: { sum: 42 }, reports: ['2 orders'], logs: [] };
  const part = {
    type: 'tool-call',
    toolCallId: '1',
    toolName: 'run_code',
    args: { code: '42' },
    status: 'done',
    result,
  } as const;
  const { getByText } = render(<RunCodeCard part={part} tool={runCodeTool({})} />);
  // The position at which the first character is drawn.
  const startOf = (node: Node | null | undefined, index = 0) => {
    const range = document.createRange();
    range.setStart(node as Node, index);
    range.setEnd(node as Node, index + 1);
    return range.getBoundingClientRect().left;
  };
  const json = getByText(/"sum": 42/).firstChild;
  const text = json?.textContent ?? '';
  expect(startOf(json, text.indexOf('"sum"'))).toBeLessThan(startOf(json, text.indexOf('42')));
  expect(startOf(json)).toBeLessThan(startOf(json, text.indexOf('"sum"')));
  const line = getByText('2 orders').firstChild;
  expect(startOf(line)).toBeLessThan(startOf(line, 2));
});

test('a notice that stays until the person dismisses it covers no field', async () => {
  await page.viewport(390, 700);
  const tool = createTestTool({ args: { action: 'Place order' } });
  const Page = ({ tools }: { tools: readonly AnyTool[] }) => (
    <div style={{ display: 'flex', flexDirection: 'column', height: 680 }}>
      <Transcript messages={messages}>
        <ClientToolDialogs mode="inline" tools={tools} />
      </Transcript>
      <Composer onSend={() => {}} />
    </div>
  );
  const { rerender, getByText, getByRole } = render(<Page tools={[tool]} />);
  rerender(<Page tools={[]} />);
  const notice = getByText('“Place order” no longer needs an answer.', { selector: 'p' });
  const { bottom } = (notice.parentElement as Element).getBoundingClientRect();
  expect(bottom).toBeLessThan(getByRole('textbox', { name: 'Message' }).getBoundingClientRect().top);
});

test.each(['One line', 'Two\n\nparagraphs', '- a\n- list'])(
  'the marker of a streaming answer takes no line of its own: %j',
  (words) => {
    const height = (status: 'streaming' | 'done') => {
      const parts = [{ type: 'text', text: words, status }] as const;
      const { container, unmount } = render(
        <Transcript
          renderers={{ text: MarkdownText }}
          messages={[{ id: '1', role: 'assistant', status, createdAt, parts }]}
        />,
      );
      const measured = container.querySelector('.hr-markdown')?.getBoundingClientRect().height;
      unmount();
      return measured;
    };
    expect(height('streaming')).toBe(height('done'));
  },
);
