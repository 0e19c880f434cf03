/// <reference types="vite/client" />
/** Small windows and enlarged text: what is asked is read from its beginning, and nothing lies below something else. */
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

afterEach(async () => {
  cleanup();
  document.documentElement.style.fontSize = '';
  await page.viewport(1280, 800);
});

/** A phone with text twice as large. */
async function enlargeText() {
  await page.viewport(390, 844);
  document.documentElement.style.fontSize = '32px';
}

const lines = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`line${index}`, index]));
const boxOf = (element: Element) => element.getBoundingClientRect();
const lineHeightOf = (element: Element) => Number.parseFloat(getComputedStyle(element).lineHeight);

describe('a question longer than the window', () => {
  test('is not answered by a key as long as its button is out of sight', async () => {
    await page.viewport(320, 480);
    const tool = createTestTool({ args: lines });
    render(<ConfirmationDialog tool={tool} />);
    const dialog = await screen.findByRole('dialog');
    expect(document.activeElement).toBe(dialog);
    expect(getComputedStyle(dialog).outlineStyle).toBe('solid');
    await userEvent.keyboard('{Enter}');
    expect(tool.submit).not.toHaveBeenCalled();
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  });

  test('begins at its button where that is in sight', async () => {
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    await screen.findByRole('dialog');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Confirm' }));
  });

  test.each([
    [320, 568],
    [390, 844],
    [720, 450],
  ])('shows what has the focus beside its buttons, %i by %i', async (width, height) => {
    await page.viewport(width, height);
    render(
      <ConfirmationDialog
        tool={createTestTool({ args: lines })}
        severity="destructive"
        confirmWord="atlas"
      />,
    );
    const dialog = await screen.findByRole('dialog');
    for (const element of dialog.querySelectorAll<HTMLElement>('summary, input, footer button')) {
      dialog.scrollTop = 0;
      element.focus();
      const { left, top, width, height } = boxOf(element);
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      expect(element.contains(seen), element.outerHTML).toBe(true);
      expect(boxOf(element).bottom).toBeLessThanOrEqual(boxOf(dialog).bottom);
    }
  });

  test('stands still while the focus goes over its buttons', async () => {
    await page.viewport(390, 844);
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    const dialog = await screen.findByRole('dialog');
    for (const button of dialog.querySelectorAll<HTMLElement>('footer button')) {
      button.focus();
      expect(dialog.scrollTop, button.outerHTML).toBe(0);
    }
  });
});

describe('text twice as large, on a phone', () => {
  test('leaves the words of a caution whole', async () => {
    await enlargeText();
    render(<ConfirmationDialog tool={createTestTool()} severity="destructive" />);
    const dialog = await screen.findByRole('dialog');
    const words = screen.getByRole('heading');
    expect(boxOf(words).width).toBeGreaterThan(0.75 * boxOf(dialog).width);
    const cross = boxOf(screen.getByRole('button', { name: 'Cancel' }));
    expect(cross.bottom).toBeLessThanOrEqual(boxOf(words).top);
    expect(boxOf(dialog).right - cross.right).toBeLessThan(64);
  });

  test('leaves room to read above the buttons, or puts them after it', async () => {
    await enlargeText();
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    const dialog = await screen.findByRole('dialog');
    const footer = dialog.querySelector('footer') as Element;
    expect(boxOf(footer).top).toBeGreaterThan(boxOf(dialog).bottom);
  });

  test('shows the placeholder of the composer whole, and the field as high as that', async () => {
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

  test('stacks the names and values of what the agent shows', async () => {
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

  test('breaks no word of the name of a tool', async () => {
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

  test('shows the name of a file whole', async () => {
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

test('the links of what is wrong in a form are high enough to be pressed', async () => {
  render(<SchemaForm schema={z.object({ name: z.string(), city: z.string() })} onSubmit={() => undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  const links = await screen.findAllByRole('link');
  expect(links).toHaveLength(2);
  for (const link of links) expect(boxOf(link).height).toBeGreaterThanOrEqual(24);
});

test('a conversation beside something else is never wider than its place', async () => {
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
