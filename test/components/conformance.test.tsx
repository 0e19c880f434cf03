// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, StrictMode, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { ChoiceDialog } from '../../src/components/choice/choice-dialog.tsx';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import type { AnyTool } from '../../src/components/primitives/any-tool.ts';
import { englishLabels } from '../../src/components/text/labels.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { type ConformanceCase, conformanceCases, toolOf } from './conformance-cases.tsx';
import { createTestTool } from './create-test-tool.ts';

/** What `aria-labelledby` or `aria-describedby` resolves to; an id that leads nowhere fails. */
function textOf(element: Element, attribute: string): string {
  const ids = element.getAttribute(attribute)?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? `no #${id}`).join(' ');
}

/** jsdom has a document, so layout effects are not left out here, which React 18 warns of; a real server is tested beside. */
function renderAsServer(app: ReactNode): string {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const html = renderToString(app);
  log.mockRestore();
  return html;
}

const start = ({ role, name }: ConformanceCase['start']) => screen.getByRole(role, { name });

/** A page with a button that opens a question, and where it may go once it was pressed. */
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

/** A call nothing can be read from, as an app's own schema or getter may make it. */
function brokenTool(kase: ConformanceCase) {
  const tool = toolOf(kase);
  Object.defineProperty(tool, 'args', {
    get() {
      throw new Error('No arguments');
    },
  });
  return tool;
}

const reason = 'The dialog for confirm-order failed: No arguments';

/** Radix gives the focus back in a timer of no length. */
const afterClosing = () => act(() => new Promise<void>((resolve) => setTimeout(resolve)));

describe.each(conformanceCases)('$name dialog', (kase) => {
  const { Dialog } = kase;

  test('has a name and a description that resolve', () => {
    render(<Dialog tool={toolOf(kase)} />, { wrapper: StrictMode });
    const dialog = screen.getByRole('dialog');
    expect(textOf(dialog, 'aria-labelledby')).toBe('Place order');
    expect(textOf(dialog, 'aria-describedby')).toBe('Two flat whites.');
    expect(dialog.getAttribute('aria-modal')).toBe('true');
  });

  test('takes the focus, gives it back, and Escape cancels once', async () => {
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

  test('gives the focus to the surroundings of a trigger that is gone', async () => {
    render(<Page kase={kase} tool={toolOf(kase)} />);
    const trigger = screen.getByRole('button', { name: 'Order' });
    trigger.focus();
    fireEvent.click(trigger);
    fireEvent.click(screen.getByTestId('replace'));
    fireEvent.keyDown(start(kase.start), { key: 'Escape' });
    await afterClosing();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Surroundings' }));
  });

  test('hides the rest of the page from assistive technology while it is open', async () => {
    render(<Page kase={kase} tool={toolOf(kase)} />);
    fireEvent.click(screen.getByRole('button', { name: 'Order' }));
    expect(screen.queryByRole('button', { name: 'Order' })).toBeNull();
    fireEvent.keyDown(start(kase.start), { key: 'Escape' });
    await afterClosing();
    expect(screen.getByRole('button', { name: 'Order' })).toBeTruthy();
  });

  test('without a message has a name and no description that leads nowhere', () => {
    render(<Dialog tool={toolOf(kase, '')} />);
    const dialog = screen.getByRole('dialog', { name: 'Place order' });
    expect(dialog.getAttribute('aria-describedby')).toBeNull();
  });

  test('stands in the container it is given', () => {
    const container = document.body.appendChild(document.createElement('div'));
    render(<Dialog tool={toolOf(kase)} container={container} />);
    expect(container.contains(screen.getByRole('dialog'))).toBe(true);
    container.remove();
  });

  test('renders on a server and hydrates without a warning', async () => {
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

  test('has a name that resolves and leaves the focus and the page alone', () => {
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

  test('is described by its message, and once answered by what became of it', () => {
    const tool = toolOf(kase);
    const { rerender } = render(<Card tool={tool} />, { wrapper: StrictMode });
    const card = screen.getByRole('region', { name: 'Place order' });
    expect(textOf(card, 'aria-describedby')).toBe('Two flat whites.');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(textOf(card, 'aria-describedby')).toBe('Cancelled');
    expect(tool.cancel.mock.calls).toEqual([[]]);
    rerender(<Card key="silent" tool={toolOf(kase, '')} />);
    expect(screen.getByRole('region', { name: 'Place order' }).getAttribute('aria-describedby')).toBeNull();
  });

  test('renders on a server and hydrates without a warning', async () => {
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
  '$name that cannot be shown',
  (kase) => {
    test.each(['Dialog', 'Card'] as const)('as a %s alone cancels its call with the reason', (surface) => {
      // React reports what a boundary caught.
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const Question = kase[surface];
      const tool = brokenTool(kase);
      const onError = vi.fn();
      const { rerender } = render(<Question tool={tool} onError={onError} />);
      expect(tool.cancel.mock.calls).toEqual([[reason]]);
      expect(onError.mock.calls).toEqual([[new Error('No arguments'), tool]]);
      rerender(<Question tool={{ ...toolOf(kase), toolCallId: 'call-2' }} onError={onError} />);
      expect(start(kase.start)).toBeTruthy();
    });

    test('is reported to the page where nobody asked to be told', () => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const reportError = vi.fn();
      vi.stubGlobal('reportError', reportError);
      render(<kase.Dialog tool={brokenTool(kase)} />);
      vi.unstubAllGlobals();
      expect(reportError.mock.calls).toEqual([[new Error('No arguments')]]);
    });

    test.each(['modal', 'inline'] as const)('in a %s queue makes room for the next one', (mode) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const onError = vi.fn();
      const broken = brokenTool(kase);
      const tools = [broken, { ...toolOf(kase), toolCallId: 'call-2' }];
      render(<ClientToolDialogs tools={tools} mode={mode} onError={onError} />);
      expect(broken.cancel.mock.calls).toEqual([[reason]]);
      expect(onError).toHaveBeenCalledTimes(1);
      expect(screen.getByText(/could not be shown/, { selector: '[role=status]' })).toBeTruthy();
      expect(start(kase.start)).toBeTruthy();
    });
  },
);

describe.each(conformanceCases)('$name', (kase) => {
  test.each([
    ['a dialog alone', (tool: AnyTool) => <kase.Dialog tool={tool} />],
    ['a card alone', (tool: AnyTool) => <kase.Card tool={tool} />],
    ['a row of dialogs', (tool: AnyTool) => <ClientToolDialogs tools={[tool]} />],
    ['cards in the page', (tool: AnyTool) => <ClientToolDialogs tools={[tool]} mode="inline" />],
  ])('as %s has one live region for all it says', (_, question) => {
    const clock = createManualClock();
    const tool = { ...toolOf(kase), expiresAt: new Date(clock.now() + 30_000) };
    render(<ClockContext.Provider value={clock}>{question(tool)}</ClockContext.Provider>);
    const regions = document.querySelectorAll('[aria-live="polite"], [role="status"], [role="alert"]');
    expect(regions).toHaveLength(1);
    expect(regions[0]?.textContent).toContain('30 seconds left');
    expect(regions[0]?.closest('[aria-hidden="true"]')).toBeNull();
  });
});

test('all that is announced goes through one live region, which a dialog does not hide', () => {
  const clock = createManualClock();
  const options = Array.from({ length: 20 }, (_, index) => `Tea ${index}`);
  const tool = createTestTool({
    args: { title: 'Which tea?', options },
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

test('a question that stands alone has one live region too, whatever it has to say', () => {
  const clock = createManualClock();
  const options = Array.from({ length: 20 }, (_, index) => `Tea ${index}`);
  const tool = createTestTool({
    args: { title: 'Which tea?', options },
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
  fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
  expect(region.textContent).toContain(englishLabels.expired);
  expect(document.querySelectorAll('[aria-live="polite"], [role="status"], [role="alert"]')).toHaveLength(1);
});

test('a tool that was running when the page was left is asked about in those words, at no risk', () => {
  const tool = createTestTool({ toolName: 'upload-photo', args: { title: 'Holiday' } });
  render(<ClientToolDialogs tools={[{ ...tool, approvalReason: 'interrupted' }]} />);
  const dialog = screen.getByRole('dialog', { name: 'Run “Upload photo” again?' });
  expect(textOf(dialog, 'aria-describedby')).toBe('It was still running when the page was left.');
  expect(screen.getByText('Holiday')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Do not run' }));
  fireEvent.click(screen.getByRole('button', { name: 'Run again' }));
  expect(tool.submit).toHaveBeenCalledTimes(1);
});
