/// <reference types="vite/client" />
/** The kit on a touch screen: sizes of targets, no hover that sticks, and a keyboard without Shift+Enter. */
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import {
  AuditTrail,
  ChoiceCard,
  Composer,
  ConfirmationCard,
  ConfirmationDialog,
  FormCard,
  SchemaForm,
  ToolCallView,
  TurnError,
} from '../../src/components.ts';
import { AgentChatError, createAuditTrail } from '../../src/core.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const touch = (enabled: boolean) => cdp().send('Emulation.setTouchEmulationEnabled', { enabled });

afterEach(async () => {
  cleanup();
  await touch(false);
  await page.viewport(1280, 800);
});

const schema = {
  type: 'object',
  required: ['name', 'colour', 'sure', 'tags'],
  properties: {
    name: { type: 'string' },
    day: { type: 'string', format: 'date' },
    note: { type: 'string', maxLength: 500 },
    colour: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    pick: { enum: ['x', 'y'] },
    sure: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

describe('a touch screen', () => {
  beforeEach(() => touch(true));

  test('every target of the kit is at least 44 pixels high on a touch screen', async () => {
    await page.viewport(390, 844);
    expect(matchMedia('(pointer: coarse)').matches).toBe(true);
    const trail = createAuditTrail();
    await trail.record({
      key: '1',
      toolCallId: '1',
      toolName: 'pay',
      args: { a: 1 },
      outcome: 'submitted',
      requestedAt: new Date(0),
      settledAt: new Date(0),
      answeredBy: 'person',
    });
    render(
      <>
        <ConfirmationCard tool={createTestTool()} />
        <ChoiceCard tool={createTestTool({ args: { options: ['a', 'b'] } })} />
        <FormCard tool={createTestTool()} schema={schema} defaultValue={{ tags: ['a', 'b'] }} />
        <ToolCallView
          part={{ type: 'tool-call', toolCallId: '1', toolName: 'ask', args: { a: 1 }, status: 'done' }}
        />
        <AuditTrail trail={trail} />
        <TurnError
          error={new AgentChatError({ code: 'finish_error', message: '', retryable: true })}
          onRetry={() => {}}
          onDismiss={() => {}}
        />
        <Composer attachments onSend={() => {}} onStop={() => {}} status="streaming" onUpload={refuse} />
      </>,
    );
    const targets = [
      ...document.querySelectorAll(
        'button, summary, select, textarea.hr-input, input.hr-input, .hr-option, .hr-file-drop',
      ),
    ];
    expect(targets.length).toBeGreaterThan(20);
    const small = targets.filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      return height < 44 || (target.matches('button') && width < 44);
    });
    expect(small.map(({ outerHTML }) => outerHTML.slice(0, 120))).toEqual([]);
  });

  test('the close button of a dialog is 44 pixels on a touch screen', async () => {
    render(<ConfirmationDialog tool={createTestTool()} />);
    // The dialog may still grow as it appears, which scales its rectangle.
    const close = document.querySelector<HTMLElement>('.hr-dismiss');
    expect([close?.offsetWidth, close?.offsetHeight]).toEqual([44, 44]);
  });

  test('Enter starts a new line on a touch screen, and no hint says otherwise', async () => {
    const sent: string[] = [];
    render(<Composer onSend={({ content }) => void sent.push(content)} />);
    await userEvent.type(page.getByRole('textbox'), 'One{Enter}Two');
    expect(document.querySelector('textarea')?.value).toBe('One\nTwo');
    expect(sent).toEqual([]);
    expect(document.querySelector('.hr-composer-hint')?.textContent).toBe('');
    expect(document.querySelector('textarea')?.enterKeyHint).toBe('enter');
  });
});

test('Enter sends where the pointer is fine', async () => {
  const sent: string[] = [];
  render(<Composer onSend={({ content }) => void sent.push(content)} />);
  await userEvent.type(page.getByRole('textbox'), 'One{Enter}');
  expect(sent).toEqual(['One']);
});

test('no rule for hover applies on a screen without hover, where it would stick after a tap', () => {
  const bare: string[] = [];
  const visit = (rules: CSSRuleList, isGuarded: boolean) => {
    for (const rule of rules) {
      const guards =
        isGuarded || (rule instanceof CSSMediaRule && rule.conditionText.includes('hover: hover'));
      if (rule instanceof CSSStyleRule && rule.selectorText.includes(':hover') && !guards)
        bare.push(rule.selectorText);
      if ('cssRules' in rule) visit(rule.cssRules as CSSRuleList, guards);
    }
  };
  for (const sheet of document.styleSheets) visit(sheet.cssRules, false);
  expect(bare).toEqual([]);
});

test('a label of one long word breaks inside a form on a phone', async () => {
  await page.viewport(390, 844);
  const title = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3);
  render(
    <SchemaForm schema={{ type: 'object', properties: { a: { type: 'string', title } } }} onSubmit={done} />,
  );
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(document.querySelector('.hr-optional')?.getBoundingClientRect().right).toBeLessThanOrEqual(390);
});

test('the heading of a group is larger than the labels of its fields', () => {
  const customer = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  render(
    <SchemaForm
      schema={{ type: 'object', properties: { customer }, required: ['customer'] }}
      onSubmit={done}
    />,
  );
  const [heading, label] = [...document.querySelectorAll('.hr-label')].map((element) =>
    Number.parseFloat(getComputedStyle(element).fontSize),
  );
  expect(heading).toBeGreaterThan(label ?? 0);
});

test('a JSON field looks like a field and not like disabled text', () => {
  render(
    <SchemaForm schema={{ type: 'object', properties: { a: {}, b: { type: 'string' } } }} onSubmit={done} />,
  );
  const [json, text] = [...document.querySelectorAll('.hr-input')].map(
    (element) => getComputedStyle(element).backgroundColor,
  );
  expect(json).toBe(text);
});

const done = () => undefined;
const refuse = () => Promise.reject(new Error('no'));
