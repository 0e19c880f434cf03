import type { KeyboardEvent } from 'react';

/**
 * Focus across shadow roots. `document.activeElement` is only the host of the shadow root with the focus, so code that reads
 * it, such as the focus scope of Radix, does not see the focused element.
 */

/** The focused element, also inside shadow roots. */
export function readActiveElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

const TAB_STOPS =
  'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex], [contenteditable="true"]';

/** Makes Tab cycle inside a dialog, also in a shadow root, where the focus scope of Radix does not. */
export function keepTabInside(event: KeyboardEvent): void {
  const panel = event.currentTarget;
  if (event.key !== 'Tab') return;
  // Option+Tab moves the focus in Safari, to every control. On other systems a page does not get Alt+Tab.
  if (event.ctrlKey || event.metaKey) return;
  const stops = [...panel.querySelectorAll<HTMLElement>(TAB_STOPS)].filter(
    (element) =>
      element.tabIndex >= 0 && !element.matches(':disabled') && element.getClientRects().length > 0,
  );
  const [edge, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  const active = readActiveElement();
  const leaves = edge === undefined || isSameStop(active, edge) || (event.shiftKey && active === panel);
  if (!leaves) return;
  event.preventDefault();
  other?.focus();
}

/** Returns true for the same element, or for two radio buttons of one group, which are one tab stop. */
function isSameStop(active: Element | null, edge: HTMLElement): boolean {
  if (active === edge) return true;
  const areRadios = isRadio(active) && isRadio(edge);
  return areRadios && active.name !== '' && active.name === edge.name && active.form === edge.form;
}

function isRadio(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'radio';
}
