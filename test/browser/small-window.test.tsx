/// <reference types="vite/client" />
/** Small windows and large text: a question is read from its start, and no element covers another. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import '../../src/styles.css';
import {
  Composer,
  ConfirmationDialog,
  MessageView,
  SchemaForm,
  ToolCallView,
  Transcript,
} from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

afterEach(async () => {
  cleanup();
  document.documentElement.style.fontSize = '';
  await page.viewport(1280, 800);
});

/** A phone with text of double size. */
async function enlargeText() {
  await page.viewport(390, 844);
  document.documentElement.style.fontSize = '32px';
}

const lines = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`line${index}`, index]));
const boxOf = (element: Element) => element.getBoundingClientRect();
const lineHeightOf = (element: Element) => Number.parseFloat(getComputedStyle(element).lineHeight);

describe('a question longer than the window', () => {
  test('a question longer than the window is not answered by a key while its button is not visible', async () => {
    await page.viewport(320, 480);
    const tool = createTestTool({ args: lines });
    render(<ConfirmationDialog tool={tool} />);
    const dialog = await screen.findByRole('dialog');
    expect(document.activeElement).toBe(dialog);
    expect(getComputedStyle(dialog).outlineStyle).toBe('solid');
    await untilArmed();
    await userEvent.keyboard('{Enter}');
    expect(tool.submit).not.toHaveBeenCalled();
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  });

  test('a question longer than the window starts at its button if that is visible', async () => {
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    await screen.findByRole('dialog');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Confirm' }));
  });

  test.each([
    [320, 568],
    [390, 844],
    [720, 450],
  ])(
    'a question longer than the window shows the focused element above its buttons, %i by %i',
    async (width, height) => {
      await page.viewport(width, height);
      render(
        <ConfirmationDialog
          tool={createTestTool({ args: lines })}
          severity="destructive"
          confirmWord="atlas"
        />,
      );
      const dialog = await screen.findByRole('alertdialog');
      for (const element of dialog.querySelectorAll<HTMLElement>('summary, input, .hr-footer button')) {
        dialog.scrollTop = 0;
        element.focus();
        const { left, top, width, height } = boxOf(element);
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        expect(element.contains(seen), element.outerHTML).toBe(true);
        expect(boxOf(element).bottom).toBeLessThanOrEqual(boxOf(dialog).bottom);
      }
    },
  );

  test('a question longer than the window does not move while the focus moves over its buttons', async () => {
    await page.viewport(390, 844);
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    const dialog = await screen.findByRole('dialog');
    for (const button of dialog.querySelectorAll<HTMLElement>('.hr-footer button')) {
      button.focus();
      expect(dialog.scrollTop, button.outerHTML).toBe(0);
    }
  });
});

describe('text twice as large, on a phone', () => {
  test('double text size on a phone does not break the words of a caution', async () => {
    await enlargeText();
    render(<ConfirmationDialog tool={createTestTool()} severity="destructive" />);
    const dialog = await screen.findByRole('alertdialog');
    const words = screen.getByRole('heading');
    expect(boxOf(words).width).toBeGreaterThan(0.75 * boxOf(dialog).width);
    const cross = boxOf(screen.getByRole('button', { name: 'Cancel' }));
    expect(cross.bottom).toBeLessThanOrEqual(boxOf(words).top);
    expect(boxOf(dialog).right - cross.right).toBeLessThan(64);
  });

  test('double text size on a phone leaves room to read above the buttons or moves them to the end', async () => {
    await enlargeText();
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    const dialog = await screen.findByRole('dialog');
    const footer = dialog.querySelector('.hr-footer') as Element;
    expect(boxOf(footer).top).toBeGreaterThan(boxOf(dialog).bottom);
  });

  test('double text size on a phone shows the whole placeholder of the composer in a field of its height', async () => {
    await enlargeText();
    render(
      <Composer
        placeholder="Ask about trains, hotels or the weather"
        onSend={() => undefined}
        attachments
        onUpload={() => Promise.reject(new Error())}
      />,
    );
    const field = screen.getByRole('textbox', { name: 'Message' });
    const empty = boxOf(field);
    expect(empty.width).toBeGreaterThan(0.75 * document.documentElement.clientWidth);
    expect(empty.height).toBeGreaterThanOrEqual(2 * lineHeightOf(field));
    await userEvent.fill(field, 'Hi');
    expect(boxOf(field).height).toBeLessThan(2 * lineHeightOf(field));
  });

  test('double text size on a phone stacks names and values of the arguments', async () => {
    await enlargeText();
    const part = { type: 'object', id: '1', typeName: 'trip', object: { leaves: '08:25' }, status: 'done' };
    render(
      <MessageView
        message={{
          id: '1',
          role: 'assistant',
          status: 'done',
          createdAt: new Date(0),
          parts: [part as never],
        }}
      />,
    );
    const value = boxOf(screen.getByText('08:25'));
    expect(value.top).toBeGreaterThanOrEqual(boxOf(screen.getByText('Leaves')).bottom);
  });

  test('double text size on a phone does not break the words of a tool name', async () => {
    await enlargeText();
    const part = {
      type: 'tool-call',
      toolCallId: '1',
      toolName: 'get_weather',
      args: {},
      status: 'done',
    } as const;
    render(
      <div style={{ inlineSize: 246 }}>
        <ToolCallView part={part} />
      </div>,
    );
    const name = screen.getByText('Get weather');
    expect(boxOf(name).height).toBeLessThan(2.5 * lineHeightOf(name));
  });

  test('double text size on a phone shows the whole name of a file', async () => {
    await enlargeText();
    const filename = `${'receipt-of-the-second-lamp-'.repeat(3)}2026.pdf`;
    const uploadFile = async () => ({
      id: '1',
      mediaType: 'application/pdf',
      url: 'https://a.example',
      filename,
    });
    render(
      <SchemaForm
        schema={[{ name: 'papers', label: 'Papers', type: 'file' }]}
        uploadFile={uploadFile}
        onSubmit={() => undefined}
      />,
    );
    await userEvent.upload(screen.getByLabelText('Papers'), new File(['%PDF'], filename));
    const name = await screen.findByText(filename);
    expect(name.scrollWidth).toBeLessThanOrEqual(name.clientWidth);
    expect(boxOf(name).right).toBeLessThanOrEqual(document.documentElement.clientWidth);
  });
});

test("the links of a form's error summary are high enough to press", async () => {
  render(<SchemaForm schema={z.object({ name: z.string(), city: z.string() })} onSubmit={() => undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  const links = await screen.findAllByRole('link');
  expect(links).toHaveLength(2);
  for (const link of links) expect(boxOf(link).height).toBeGreaterThanOrEqual(24);
});

test('a conversation beside another column is never wider than its container', async () => {
  const parts = [{ type: 'object', id: '1', typeName: 'trip', object: { a: 'b' }, status: 'done' }];
  render(
    <div style={{ display: 'flex', inlineSize: 120, blockSize: 400 }}>
      <Transcript
        messages={[
          { id: '1', role: 'assistant', status: 'done', createdAt: new Date(0), parts: parts as never },
        ]}
      >
        <div style={{ inlineSize: 300 }}>A wide picture</div>
      </Transcript>
    </div>,
  );
  expect(boxOf(screen.getByRole('region', { name: 'Conversation' })).width).toBe(120);
});
