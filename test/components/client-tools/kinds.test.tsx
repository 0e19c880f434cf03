// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  ClientToolDialogs,
  ClientToolDialogsOf,
  choice,
  confirmation,
  elicitation,
} from '../../../src/components.ts';
import { createTestTool } from '../create-test-tool.ts';

const fields = [{ name: 'city', label: 'City' }];

test('a page with confirmations alone asks a yes or no as ever', () => {
  const tool = createTestTool();
  render(<ClientToolDialogsOf kinds={[confirmation]} tools={[tool]} />);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('a kind that is not listed is shown to read, with a no alone, and named in a warning once', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const args = { title: 'Where to?', note: 'By Friday', fields };
  const tool = createTestTool({ toolName: 'ask-city', args });
  const { unmount } = render(<ClientToolDialogs kinds={[confirmation, choice]} tools={[tool]} />);
  expect(screen.getByRole('dialog', { name: 'Where to?' })).toBeTruthy();
  expect(screen.getByText('By Friday')).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getAllByRole('button').map(({ textContent, ariaLabel }) => ariaLabel ?? textContent)).toEqual(
    ['Cancel', '2 more inside', 'Decline'],
  );
  fireEvent.click(screen.getByRole('button', { name: 'Decline' }));
  expect(tool.decline).toHaveBeenCalledOnce();
  expect(tool.submit).not.toHaveBeenCalled();
  unmount();
  render(
    <ClientToolDialogs kinds={[confirmation]} tools={[createTestTool({ toolName: 'ask-city', args })]} />,
  );
  expect(warn).toHaveBeenCalledOnce();
  expect(warn.mock.calls[0]?.[0]).toContain('The tool "ask-city" asks a question of the kind `form`');
  warn.mockRestore();
});

test('a consent of an MCP server is of the kind elicitation', () => {
  const ask = () => createTestTool({ toolName: 'mcp:files/elicitation', args: { message: 'Go on?' } });
  const tool = ask();
  render(<ClientToolDialogsOf kinds={[elicitation]} tools={[tool]} />);
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(tool.submit.mock.calls[0]?.[0]).toEqual({});
});

test('without kinds every kind is shown', () => {
  render(<ClientToolDialogs tools={[createTestTool({ args: { fields } })]} />);
  expect(screen.getByRole('textbox', { name: 'City' })).toBeTruthy();
});
