/// <reference types="vite/client" />
/** How the pieces of a conversation meet what a person has set: colours, motion, direction, and how much room there is. */
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import '../../src/styles.css';
import {
  AuditTrail,
  Composer,
  ConnectionStatus,
  Notices,
  RememberedChoices,
  Transcript,
  TurnError,
} from '../../src/components.ts';
import { AgentChatError, createAuditTrail, createRememberedChoices, type UIMessage } from '../../src/core.ts';

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
      <ConnectionStatus state="reconnecting" />
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

/** The transcript's ring is a layer above its messages. */
const hasRingAround = ({ parentElement }: Element) =>
  parentElement !== null && getComputedStyle(parentElement, '::after').borderTopWidth === '2px';

describe('the pieces of a conversation', () => {
  test('show in forced colours which of them has the focus', async () => {
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

  test('do not move for a person who wants it so', async () => {
    await emulate(['prefers-reduced-motion', 'reduce']);
    const container = await show();
    // What works goes on turning, four times as slow: standing still it would say that nothing happens.
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
  ] as const)('cut nothing off, %s, %i pixels wide, whatever the words', async (dir, width, height) => {
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
  });
});
