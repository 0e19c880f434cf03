// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, StrictMode, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ChoiceDialog } from '../../src/components/choice/choice-dialog.tsx';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { englishLabels } from '../../src/components/text/labels.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { type ConformanceCase, conformanceCases, toolOf } from './conformance-cases.tsx';
import { createTestTool } from './create-test-tool.ts';

/** The text that `aria-labelledby` or `aria-describedby` resolves to. An id without an element fails. */
function textOf(element: Element, attribute: string): string {
  const ids = element.getAttribute(attribute)?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? `no #${id}`).join(' ');
}

/** React 18 warns about layout effects on a server. jsdom has a document, so those run here; another test uses a real server. */
function renderAsServer(app: ReactNode): string {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const html = renderToString(app);
  log.mockRestore();
  return html;
}

const start = ({ role, name }: ConformanceCase['start']) => screen.getByRole(role, { name });

/** A page with a button that opens a question and may disappear after the press. */
function Page({ kase, tool }: { kase: ConformanceCase; tool: ReturnType<typeof toolOf> }) {
  const [open, setOpen] = useState(false);
  const [trigger, setTrigger] = useState(true);
  return (
    <>
      <section aria-label="Surroundings">
        {trigger && (
          <button type="button" onClick={() => setOpen(true)}>
            Order
          </button>
        )}
      </section>
      <button type="button" data-testid="replace" onClick={() => setTrigger(false)} />
      {open && <kase.Dialog tool={tool} />}
    </>
  );
}

/** A call whose properties throw, as an app's own schema or getter may make it. */
function brokenTool(kase: ConformanceCase) {
  return {
    ...toolOf(kase),
    get args(): never {
      throw new Error('No arguments');
    },
  };
}

const reason = 'The dialog for confirm-order failed: No arguments';

/** Radix returns the focus in a zero-length timer. */
const afterClosing = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

describe.each(conformanceCases)('$name dialog', (kase) => {
  const { Dialog } = kase;

  test('the dialog has a name and a description that resolve', () => {
    render(<Dialog tool={toolOf(kase)} />, { wrapper: StrictMode });
    const dialog = screen.getByRole('dialog');
    expect(textOf(dialog, 'aria-labelledby')).toBe('Place order');
    expect(textOf(dialog, 'aria-describedby')).toBe('Two flat whites.');
    expect(dialog.getAttribute('aria-modal')).toBe('true');
  });

  test('the dialog takes the focus, returns it, and cancels once on Escape', async () => {
    const tool = toolOf(kase);
    render(<Page kase={kase} tool={tool} />, { wrapper: StrictMode });
    const trigger = screen.getByRole('button', { name: 'Order' });
    trigger.focus();
    fireEvent.click(trigger);
    expect(document.activeElement).toBe(start(kase.start));
    fireEvent.keyDown(start(kase.start), { key: 'Escape' });
    await afterClosing();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(trigger);
    expect(tool.cancel.mock.calls).toEqual([[]]);
    expect(tool.submit).not.toHaveBeenCalled();
    expect(tool.decline).not.toHaveBeenCalled();
  });

  test('the dialog returns the focus to an ancestor of a trigger that is gone', async () => {
    render(<Page kase={kase} tool={toolOf(kase)} />);
    const trigger = screen.getByRole('button', { name: 'Order' });
    trigger.focus();
    fireEvent.click(trigger);
    fireEvent.click(screen.getByTestId('replace'));
    fireEvent.keyDown(start(kase.start), { key: 'Escape' });
    await afterClosing();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Surroundings' }));
  });

  test('the open dialog hides the rest of the page from assistive technology', async () => {
    render(<Page kase={kase} tool={toolOf(kase)} />);
    fireEvent.click(screen.getByRole('button', { name: 'Order' }));
    expect(screen.queryByRole('button', { name: 'Order' })).toBeNull();
    fireEvent.keyDown(start(kase.start), { key: 'Escape' });
    await afterClosing();
    expect(screen.getByRole('button', { name: 'Order' })).toBeTruthy();
  });

  test('the dialog without a message has a name and no description', () => {
    render(<Dialog tool={toolOf(kase, '')} />);
    const dialog = screen.getByRole('dialog', { name: 'Place order' });
    expect(dialog.getAttribute('aria-describedby')).toBeNull();
  });

  test('the dialog is rendered into its container', () => {
    const container = document.body.appendChild(document.createElement('div'));
    render(<Dialog tool={toolOf(kase)} container={container} />);
    expect(container.contains(screen.getByRole('dialog'))).toBe(true);
    container.remove();
  });

  test('the dialog renders on a server and hydrates without a warning', async () => {
    const tool = toolOf(kase);
    const app = (
      <StrictMode>
        <main>
          <ClientToolDialogs tools={[tool]} />
        </main>
      </StrictMode>
    );
    const host = document.body.appendChild(document.createElement('div'));
    host.innerHTML = renderAsServer(app);
    const root = await act(async () => hydrateRoot(host, app));
    expect(screen.getByRole('dialog', { name: 'Place order' })).toBeTruthy();
    act(() => root.unmount());
    host.remove();
  });
});

describe.each(conformanceCases)('$name card', (kase) => {
  const { Card } = kase;

  test('the card has a name that resolves, and changes neither the focus nor the page', () => {
    render(
      <>
        <input aria-label="Message" />
        <Card tool={toolOf(kase)} />
      </>,
      { wrapper: StrictMode },
    );
    const input = screen.getByRole('textbox', { name: 'Message' });
    input.focus();
    expect(textOf(screen.getByRole('region', { name: 'Place order' }), 'aria-labelledby')).toBe(
      'Place order',
    );
    expect(document.activeElement).toBe(input);
    expect(start(kase.start)).toBeTruthy();
  });

  test('the card is described by its message, and by its outcome when answered', () => {
    const tool = toolOf(kase);
    const { rerender } = render(<Card tool={tool} />, { wrapper: StrictMode });
    const card = screen.getByRole('region', { name: 'Place order' });
    expect(textOf(card, 'aria-describedby')).toBe('Two flat whites.');
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /^Decline$|^Don['’]t (run|answer)$/ }));
    expect(textOf(card, 'aria-describedby')).toBe('Declined');
    expect(tool.decline).toHaveBeenCalledOnce();
    rerender(<Card key="silent" tool={toolOf(kase, '')} />);
    expect(screen.getByRole('region', { name: 'Place order' }).getAttribute('aria-describedby')).toBeNull();
  });

  test('the card renders on a server and hydrates without a warning', async () => {
    const app = <Card tool={toolOf(kase)} />;
    const host = document.body.appendChild(document.createElement('div'));
    host.innerHTML = renderAsServer(app);
    expect(host.textContent).toContain('Place order');
    const root = await act(async () => hydrateRoot(host, app));
    expect(start(kase.start)).toBeTruthy();
    act(() => root.unmount());
    host.remove();
  });
});

describe.each(conformanceCases.filter(({ definition }) => definition === undefined))(
  '$name that throws while rendering',
  (kase) => {
    test.each(['Dialog', 'Card'] as const)(
      'a throwing %s outside of a queue fails its call with the reason',
      (surface) => {
        // React reports the error that a boundary caught.
        vi.spyOn(console, 'error').mockImplementation(() => {});
        const Question = kase[surface];
        const tool = brokenTool(kase);
        const onError = vi.fn();
        const { rerender } = render(<Question tool={tool} onError={onError} />);
        expect(tool.fail.mock.calls).toEqual([[reason]]);
        expect(onError.mock.calls).toEqual([[new Error('No arguments'), tool]]);
        rerender(<Question tool={{ ...toolOf(kase), toolCallId: 'call-2' }} onError={onError} />);
        expect(start(kase.start)).toBeTruthy();
      },
    );

    test('a throwing question without onError is reported to the page', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const reportError = vi.fn();
      vi.stubGlobal('reportError', reportError);
      render(<kase.Dialog tool={brokenTool(kase)} />);
      vi.unstubAllGlobals();
      expect(reportError.mock.calls).toEqual([[new Error('No arguments')]]);
    });

    test.each(['modal', 'inline'] as const)(
      'a throwing question in a %s queue is followed by the next one',
      (mode) => {
        vi.spyOn(console, 'error').mockImplementation(() => {});
        const onError = vi.fn();
        const broken = brokenTool(kase);
        const tools = [broken, { ...toolOf(kase), toolCallId: 'call-2' }];
        render(<ClientToolDialogs tools={tools} mode={mode} onError={onError} />);
        expect(broken.fail.mock.calls).toEqual([[reason]]);
        expect(onError).toHaveBeenCalledTimes(1);
        expect(screen.getByText(/could not be shown/, { selector: '[role=status]' })).toBeTruthy();
        expect(start(kase.start)).toBeTruthy();
      },
    );
  },
);

describe.each(conformanceCases)('$name', (kase) => {
  test.each([
    ['a dialog alone', (tool: AnyTool) => <kase.Dialog tool={tool} />],
    ['a card alone', (tool: AnyTool) => <kase.Card tool={tool} />],
    ['a queue of dialogs', (tool: AnyTool) => <ClientToolDialogs tools={[tool]} />],
    ['cards on the page', (tool: AnyTool) => <ClientToolDialogs tools={[tool]} mode="inline" />],
  ])('the question as %s announces everything through one live region', (_, question) => {
    const clock = createManualClock();
    const tool = { ...toolOf(kase), expiresAt: new Date(clock.now() + 30_000) };
    render(<ClockContext.Provider value={clock}>{question(tool)}</ClockContext.Provider>);
    const regions = document.querySelectorAll('[aria-live="polite"], [role="status"], [role="alert"]');
    expect(regions).toHaveLength(1);
    expect(regions[0]?.textContent).toContain('30 seconds left');
    expect(regions[0]?.closest('[aria-hidden="true"]')).toBeNull();
  });
});

test('all announcements go through one live region, which a dialog does not hide', () => {
  const clock = createManualClock();
  const options = Array.from({ length: 20 }, (_, index) => `Tea ${index}`);
  const tool = createTestTool({
    args: { title: 'Which tea?', options },
    requestedAt: new Date(clock.now()),
    expiresAt: new Date(clock.now() + 30_000),
  });
  render(
    <ClockContext.Provider value={clock}>
      <ClientToolDialogs tools={[tool]} />
    </ClockContext.Provider>,
  );
  const regions = document.querySelectorAll('[aria-live="polite"]');
  expect(regions).toHaveLength(1);
  expect(regions[0]?.closest('[aria-hidden="true"]')).toBeNull();
  expect(regions[0]?.textContent).toBe('30 seconds left');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'Tea 19' } });
  expect(regions[0]?.textContent).toBe('30 seconds left 1 option');
  const pressEscape = () => fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  pressEscape();
  expect(regions[0]?.textContent).toBe('30 seconds left');
  expect(tool.cancel).not.toHaveBeenCalled();
  pressEscape();
  expect(regions[0]?.textContent).toBe('');
  expect(tool.cancel).toHaveBeenCalledOnce();
});

test('a question outside of a queue has one live region for all announcements', () => {
  const clock = createManualClock();
  const options = Array.from({ length: 20 }, (_, index) => `Tea ${index}`);
  const tool = createTestTool({
    args: { title: 'Which tea?', options },
    requestedAt: new Date(clock.now()),
    expiresAt: new Date(clock.now() + 30_000),
    refusals: [{ settled: false, reason: 'expired' }],
  });
  render(
    <ClockContext.Provider value={clock}>
      <ChoiceDialog tool={tool} />
    </ClockContext.Provider>,
  );
  const region = screen.getByRole('status');
  expect(region.textContent).toBe('30 seconds left');
  fireEvent.click(screen.getByRole('radio', { name: 'Tea 3' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(region.textContent).toContain(englishLabels.expired);
  expect(document.querySelectorAll('[aria-live="polite"], [role="status"], [role="alert"]')).toHaveLength(1);
});

test('a tool interrupted by a reload is asked about with the texts for a second run, as a caution', () => {
  const tool = createTestTool({ toolName: 'upload-photo', args: { title: 'Holiday' } });
  render(<ClientToolDialogs tools={[{ ...tool, approvalReason: 'interrupted' }]} />);
  const dialog = screen.getByRole('dialog', { name: 'Run “Upload photo” again?' });
  expect(textOf(dialog, 'aria-describedby')).toBe('It was still running when the page was left.');
  expect(screen.getByText('Holiday')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Do not run' }));
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }));
  expect(tool.submit).toHaveBeenCalledTimes(1);
});
