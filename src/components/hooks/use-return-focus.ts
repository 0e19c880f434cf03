import { createContext, useCallback, useEffect, useRef } from 'react';
import { parentAcrossFrames, readFocused } from './focus-across-frames.ts';
import { readActiveElement } from './focus-in-shadow.ts';

/** Moves the focus to the transcript before the focused element disappears. Does nothing outside of a transcript. */
export const KeepFocusContext = /* @__PURE__ */ createContext<() => void>(() => {});

/**
 * Returns the focus to its former element when a dialog closes. If that element is no longer on the page (an answer
 * replaced the button that opened the dialog), its closest remaining ancestor gets the focus, so that a screen reader does
 * not start again at the top of the page.
 */
export function useReturnFocus(open: boolean) {
  const trail = useRef<readonly HTMLElement[]>([]);
  const caret = useRef<Range>(undefined);
  const stillOpen = useRef(false);
  useEffect(() => {
    stillOpen.current = open;
    // Before the dialog has faded out, so that the person can type on at once. The trail stays for `restore`, because the
    // element may be removed while the dialog fades.
    if (!open) restoreFocus(trail.current, caret.current);
    return () => {
      stillOpen.current = false;
    };
  }, [open]);

  /**
   * Call before the focus moves into a dialog. The next dialog of a queue keeps the element that the first one remembered,
   * unless the focus has moved since, for example into another dialog that is still open.
   */
  const remember = useCallback(() => {
    if (trail.current.length > 0 && !isFocusElsewhere()) return;
    const path: HTMLElement[] = [];
    for (let node = readFocused(); node !== null; node = parentAcrossFrames(node))
      path.push(node as HTMLElement);
    trail.current = path;
    caret.current = readCaret(path[0]);
  }, []);

  /** Call when the dialog is removed. Restores the focus and forgets the element. */
  const restore = useCallback(() => {
    if (stillOpen.current) return;
    const path = trail.current;
    trail.current = [];
    restoreFocus(path, caret.current);
  }, []);

  return { remember, restore };
}

/** Returns the selection in a rich editor. A text field keeps its own. */
function readCaret(origin: HTMLElement | undefined): Range | undefined {
  const selection = origin && selectionAround(origin);
  if (!origin?.isContentEditable || !selection?.rangeCount) return undefined;
  return origin.contains(selection.anchorNode) ? selection.getRangeAt(0).cloneRange() : undefined;
}

/** The selection of the shadow root or document of an element. In Chromium that of the document does not reach into shadow roots. */
function selectionAround(element: Element): Selection | null {
  const root = element.getRootNode() as Document | ShadowRoot;
  return 'getSelection' in root ? root.getSelection() : element.ownerDocument.getSelection();
}

/** @param path the element that had the focus, then its ancestors */
function restoreFocus(path: readonly HTMLElement[], caret: Range | undefined): void {
  const [origin, ...around] = path;
  if (origin === undefined || isFocusElsewhere()) return;
  // The page stays hidden from screen readers until the dialog is removed, but they must read the focused element.
  for (const element of path) if (element.dataset?.ariaHidden) element.removeAttribute('aria-hidden');
  // An element in a frame takes the focus only when its window has it.
  const { defaultView } = origin.ownerDocument;
  if (defaultView !== null && defaultView !== window) defaultView.focus();
  origin.focus({ preventScroll: true });
  if (readFocused() === origin) {
    // The focus alone would put the caret at the start of a rich editor.
    if (caret)
      selectionAround(origin)?.setBaseAndExtent(
        caret.startContainer,
        caret.startOffset,
        caret.endContainer,
        caret.endOffset,
      );
    return;
  }
  const left = around.find((element) => element.isConnected);
  if (left !== undefined) focusOnce(left);
}

/** Returns true if the app or the person has moved the focus out of the dialog. */
export function isFocusElsewhere(): boolean {
  const active = readActiveElement();
  return active?.matches('body, .hr-overlay[data-state="closed"] *') === false;
}

/** Focuses an element that is not a tab stop, without making it a tab stop for later. */
export function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.setAttribute('tabindex', '-1');
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
