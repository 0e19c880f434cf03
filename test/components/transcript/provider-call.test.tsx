// @vitest-environment jsdom
import { render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ToolCallView } from '../../../src/components.ts';
import type { ToolCallPart } from '../../../src/core/state/message.ts';

const show = (more: Partial<ToolCallPart>) =>
  render(
    <ToolCallView
      part={{
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'provider:web_search',
        args: {},
        status: 'done',
        executedBy: 'provider',
        ...more,
      }}
    />,
  );

const texts = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

describe('a call that the provider of the model executed', () => {
  it('lists its steps, each source once and its files', () => {
    const page = { type: 'url', url: 'https://a.example/x', title: 'Page' };
    show({
      result: {
        actions: [
          { type: 'search', query: 'trains', sources: [page] },
          { type: 'open_page', url: page.url, sources: [page, { url: 'https://b.example/' }] },
          { type: 'find_in_page', pattern: 'Graz' },
        ],
        artifacts: [{ type: 'file', title: 'plan.csv', mediaType: 'text/csv', url: 'https://f.example/p' }],
      },
    });
    expect(texts(screen.getByLabelText('Steps'))).toEqual([
      'Searchtrains',
      'Open pagehttps://a.example/x',
      'Find in pageGraz',
    ]);
    expect(texts(screen.getByLabelText('Sources'))).toEqual(['Pagea.example', 'https://b.example/']);
    expect(texts(screen.getByLabelText('Files'))).toEqual(['plan.csv']);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('names the place by the prefix of the tool, and the tool without it', () => {
    const { container } = show({ executedBy: 'server' });
    expect(container.querySelector('summary')?.textContent).toBe('Web searchat the providerdone');
    const mcp = show({ toolName: 'mcp:docs/read_page', executedBy: 'server' });
    expect(mcp.container.querySelector('summary')?.textContent).toBe('Docs read pageon an MCP serverdone');
    const own = show({ toolName: 'mcp:docs/elicitation', executedBy: 'client' });
    expect(own.container.querySelector('summary')?.textContent).toContain('in your browser');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    '/local',
    'https://a:b@c.example/',
  ])('makes no link of the address %s', (url) => {
    show({ result: { actions: [{ type: 'open', url, sources: [{ url }] }], artifacts: [{ id: 'f', url }] } });
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('reads the pages of a result that is a list, without their encrypted text', () => {
    const { container } = show({
      result: [{ type: 'web_search_result', url: 'https://a.example/', title: 'A', encryptedContent: 'xyz' }],
    });
    expect(texts(screen.getByLabelText('Sources'))).toEqual(['Aa.example']);
    expect(container.textContent).not.toContain('xyz');
  });

  it('reads the action of a provider that reports one', () => {
    show({
      result: { action: { type: 'search', query: 'trains' }, sources: [{ url: 'https://a.example/' }] },
    });
    expect(texts(screen.getByLabelText('Steps'))).toEqual(['Searchtrains']);
    expect(texts(screen.getByLabelText('Sources'))).toEqual(['https://a.example/']);
  });

  it('shows any other result, its arguments and its error as those of every call', () => {
    const { container } = show({ args: { code: '1+1' }, result: { output: '2' } });
    expect(container.textContent).toContain('Code1+1');
    expect(container.textContent).toContain('Output2');
    show({ status: 'error', error: 'no quota' });
    expect(screen.getByText('no quota')).toBeTruthy();
  });

  it('shows no more than 40 sources', () => {
    const sources = Array.from({ length: 50 }, (_, index) => ({ url: `https://a.example/${index}` }));
    show({ result: { sources } });
    expect(texts(screen.getByLabelText('Sources'))).toHaveLength(40);
    expect(screen.getByText('and 10 more')).toBeTruthy();
  });
});
