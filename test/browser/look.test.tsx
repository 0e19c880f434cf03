/// <reference types="vite/client" />
/** The kit under user preferences: colours, motion, direction and available width. */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { ConfirmationDialog } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { conformanceCases, toolOf } from '../components/conformance-cases.tsx';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const emulate = (...features: readonly [name: string, value: string][]) =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: features.map(([name, value]) => ({ name, value })),
  });

afterEach(async () => {
  cleanup();
  document.getElementById('panel')?.remove();
  document.documentElement.dir = '';
  await emulate();
  await page.viewport(1280, 800);
});

const styleOf = (element: Element) => getComputedStyle(element);
const focusables = 'button, input, select, textarea, summary, a[href], [tabindex="0"]';

/** Returns true for an element with an outline. Forced colours keep outlines and remove shadows. */
const hasRing = (element: Element) =>
  styleOf(element).outlineStyle !== 'none' && styleOf(element).outlineWidth !== '0px';

describe.each(conformanceCases)('$name', (kase) => {
  describe.each(['modal', 'inline'] as const)('%s', (mode) => {
    const show = async () => {
      const Question = mode === 'modal' ? kase.Dialog : kase.Card;
      render(<Question tool={toolOf(kase)} />);
      const surface = await screen.findByRole(mode === 'modal' ? 'dialog' : 'region', {
        name: 'Place order',
      });
      return surface;
    };

    test('every control shows its focus and the main button stands out in forced colours', async () => {
      await emulate(['forced-colors', 'active'], ['prefers-reduced-motion', 'reduce']);
      const surface = await show();
      // Before that its answers are grey.
      if (mode === 'modal') await untilArmed();
      const main = surface.querySelector('[data-look="primary"]') as Element;
      expect(styleOf(main).backgroundColor).not.toBe(styleOf(surface).backgroundColor);
      expect(styleOf(surface).borderTopStyle).toBe('solid');
      const controls = [...surface.querySelectorAll<HTMLElement>(focusables)].filter((one) =>
        one.checkVisibility(),
      );
      expect(controls.length).toBeGreaterThan(2);
      for (const control of controls) {
        control.focus({ focusVisible: true } as FocusOptions);
        const shown = hasRing(control) || hasRing(control.closest('.hr-option') ?? control);
        expect(shown, control.outerHTML).toBe(true);
      }
    });

    test('nothing moves with reduced motion', async () => {
      await emulate(['prefers-reduced-motion', 'reduce']);
      const surface = await show();
      expect(document.getAnimations()).toEqual([]);
      for (const element of surface.querySelectorAll('*')) {
        expect(styleOf(element).transitionDuration, element.className).toMatch(/^0s(, 0s)*$/);
      }
    });

    test('what ends the strip is on the left on a right-to-left page', async () => {
      document.documentElement.dir = 'rtl';
      const surface = await show();
      const box = surface.getBoundingClientRect();
      const mark = (surface.querySelector('.hr-mark') as Element).getBoundingClientRect();
      expect(box.right - mark.right).toBeLessThan(mark.left - box.left);
      const cross = screen.queryByRole('button', { name: 'Cancel' })?.getBoundingClientRect();
      // A card has none.
      expect(cross === undefined).toBe(mode === 'inline');
      if (cross) expect(cross.left - box.left).toBeLessThan(box.right - cross.right);
      expect(surface.scrollWidth).toBe(surface.clientWidth);
    });

    test.each([
      ['a phone', 360, 740],
      ['a window at 400 %', 320, 256],
    ])('nothing is cut off on %s', async (_, width, height) => {
      await page.viewport(width, height);
      const surface = await show();
      expect(surface.scrollWidth).toBe(surface.clientWidth);
      expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
      for (const button of surface.querySelectorAll('button')) {
        expect(button.scrollWidth, button.outerHTML).toBeLessThanOrEqual(button.offsetWidth);
      }
    });
  });

  test('a dialog in a narrow container of a wide page is a sheet at the bottom of the container', async () => {
    await emulate(['prefers-reduced-motion', 'reduce']);
    const panel = document.body.appendChild(document.createElement('div'));
    panel.id = 'panel';
    panel.style.cssText = 'width: 380px; height: 500px; transform: translateX(40px)';
    render(<ClientToolDialogs tools={[toolOf(kase)]} container={panel} />);
    const dialog = await screen.findByRole('dialog');
    const [inner, outer] = [dialog.getBoundingClientRect(), panel.getBoundingClientRect()];
    expect([inner.left, inner.right, inner.bottom]).toEqual([outer.left, outer.right, outer.bottom]);
    expect(inner.top).toBeGreaterThanOrEqual(outer.top);
  });
});

describe('a question longer than the window', () => {
  const lines = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`line${index}`, index]));
  const fields = Array.from({ length: 60 }, (_, index) => ({ name: `field${index}` }));
  const long = [
    ['a confirmation', ConfirmationDialog, lines],
    ['a form', FormDialog, { fields }],
  ] as const;

  test.each(long)(
    'a question longer than the window keeps the buttons of %s visible without covering content',
    async (_, Dialog, args) => {
      await emulate(['forced-colors', 'active'], ['prefers-reduced-motion', 'reduce']);
      render(<Dialog tool={createTestTool({ args })} />);
      const dialog = await screen.findByRole('dialog');
      const footer = dialog.querySelector('.hr-footer') as Element;
      expect(dialog.scrollTop).toBe(0);
      expect(footer.getBoundingClientRect().bottom).toBeGreaterThanOrEqual(
        dialog.getBoundingClientRect().bottom - 2,
      );
      expect(styleOf(footer).backgroundColor).toBe(styleOf(dialog).backgroundColor);
    },
  );

  test('a question longer than a low window leaves room to read it', async () => {
    await page.viewport(320, 256);
    render(<ConfirmationDialog tool={createTestTool({ args: lines })} />);
    const dialog = await screen.findByRole('dialog');
    const footer = dialog.querySelector('.hr-footer') as Element;
    expect(footer.getBoundingClientRect().top).toBeGreaterThan(dialog.getBoundingClientRect().bottom);
  });
});

test('a preference for more contrast removes grey text', async () => {
  await emulate(['prefers-contrast', 'more']);
  const kase = conformanceCases[0];
  if (kase === undefined) throw new Error('no case');
  render(<ClientToolDialogs tools={[toolOf(kase)]} />);
  await waitFor(() => screen.getByRole('dialog'));
  const colour = (text: string) => styleOf(screen.getByText(text)).color;
  expect(colour('Two flat whites.')).toBe(colour('Place order'));
});
