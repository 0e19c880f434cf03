// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ToolCallView } from '../../../src/components/transcript/tool-call-view.tsx';
import type { ToolCallPart } from '../../../src/core.ts';

const running: ToolCallPart = {
  type: 'tool-call',
  toolCallId: '1',
  toolName: 'import-rows',
  args: {},
  status: 'running',
  executedBy: 'client',
};

/** The element of the progress in a row. */
function progressOf(part: ToolCallPart, waiting = false) {
  const { container } = render(<ToolCallView part={part} waiting={waiting} />);
  return container.querySelector<HTMLElement>('.hr-call-progress');
}

describe('the progress in the row of a call', () => {
  it.each([
    [{ done: 3, total: 8 }, '3 of 8', '0.375'],
    [{ done: 9, total: 8 }, '9 of 8', '1'],
    [{ done: 0, total: 0 }, '0 of 0', ''],
    [{ done: 3 }, '3 done', ''],
    [{ text: 'Reading' }, 'Reading', ''],
    [{ done: 1, total: 4, text: 'Reading' }, 'Reading1 of 4', '0.25'],
  ])('%j is shown as %s, with a bar over the share %s', (progress, text, share) => {
    const shown = progressOf({ ...running, progress });
    expect(shown?.textContent).toBe(text);
    expect(shown?.style.getPropertyValue('--_share')).toBe(share);
    expect(shown?.hasAttribute('data-bar')).toBe(share !== '');
  });

  it('a call without a report, that waits, or that has ended shows none', () => {
    const progress = { done: 3, total: 8 };
    expect(progressOf(running)).toBeNull();
    expect(progressOf({ ...running, progress }, true)).toBeNull();
    expect(progressOf({ ...running, progress, status: 'done', outcome: 'submitted' })).toBeNull();
  });
});

describe('the files of a result', () => {
  const png = {
    id: 'f1',
    mediaType: 'image/png',
    url: 'https://files.example/1.png',
    filename: 'shot.png',
    size: 84_000,
  };
  const show = (...files: NonNullable<ToolCallPart['files']>) =>
    render(<ToolCallView part={{ ...running, status: 'done', outcome: 'submitted', files }} />);

  it('a picture has a preview, and every file its name, its size and a link', () => {
    const { container } = show(png, {
      id: 'f2',
      mediaType: 'text/csv',
      url: 'https://files.example/2.csv',
      filename: 'rows.csv',
    });
    expect(screen.getByRole('list', { name: 'Files' }).children).toHaveLength(2);
    expect([...container.querySelectorAll('img')].map(({ src }) => src)).toEqual([png.url]);
    expect(screen.getByRole('link', { name: 'shot.png' }).getAttribute('href')).toBe(png.url);
    expect(container.textContent).toContain('84 kB');
    expect(screen.getByRole('link', { name: 'rows.csv' })).toBeTruthy();
  });

  it.each([
    ['javascript:alert(1)', 'image/png'],
    ['data:text/html;base64,PGI+', 'image/png'],
    ['https://name:word@files.example/1.png', 'image/png'],
    ['https://files.example/1.svg', 'image/svg+xml'],
  ])('a picture at %s of the type %s has no preview', (url, mediaType) => {
    const { container } = show({ ...png, url, mediaType });
    expect(container.querySelector('img')).toBeNull();
    expect(container.textContent).toContain('shot.png');
  });

  it('a call without files has no list of files', () => {
    show();
    expect(screen.queryByRole('list', { name: 'Files' })).toBeNull();
  });
});
