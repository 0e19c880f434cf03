import * as Dialog from '@radix-ui/react-dialog';
import { type FocusEvent, type ReactNode, useContext } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { isComposing } from '../../shared/is-composing.ts';
import { keepTabInside } from '../hooks/focus-in-shadow.ts';
import { DialogFrameContext, SurfaceContext, useSurface } from '../hooks/surface-context.ts';
import type { AnswerState } from '../hooks/use-answer.ts';
import { useArming } from '../hooks/use-arming.ts';
import { DialogFrame, type DialogFrameProps } from './dialog-frame.tsx';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

export interface DialogSurfaceProps extends DialogFrameProps {
  /** The call that is asked about: notifications lead to its surface. */
  readonly toolCallId: string;
  /** The kind of question, for style sheets. */
  readonly kind: string;
  readonly state: AnswerState;
  readonly severity: Severity;
  /** The dialog has a message, which becomes its accessible description. */
  readonly described: boolean;
  /** Called by Escape. */
  readonly onDismiss: () => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A modal question on the frame around it, or else on its own frame. */
export function DialogSurface({ container, overlayClassName, ...panel }: DialogSurfaceProps) {
  const content = <DialogPanel {...panel} />;
  if (useContext(DialogFrameContext) !== undefined) return content;
  return (
    <DialogFrame
      open={panel.state.status !== 'settled'}
      container={container}
      overlayClassName={overlayClassName}
    >
      {content}
    </DialogFrame>
  );
}

function DialogPanel({
  toolCallId,
  kind,
  state,
  severity,
  described,
  onDismiss,
  className,
  children,
}: Omit<DialogSurfaceProps, keyof DialogFrameProps>) {
  const surface = useSurface('dialog');
  const arming = useArming();
  const frame = useContext(DialogFrameContext);
  return (
    <Dialog.Content
      asChild
      className={joinWords('hr-surface', 'hr-dialog', className)}
      data-call={toolCallId}
      data-kind={kind}
      data-severity={severity}
      data-answer={state.status}
      data-outcome={state.status === 'settled' ? state.outcome : undefined}
      data-arming={arming.status}
      aria-modal
      aria-labelledby={surface.titleId}
      aria-describedby={described ? surface.descriptionId : undefined}
      onFocus={unhide}
      onKeyDown={keepTabInside}
      {...arming.handlers}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        frame?.remember();
        const panel = event.currentTarget as HTMLElement;
        raise(panel.closest('.hr-overlay'));
        arming.arm(panel, findStart(panel));
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        frame?.restore();
      }}
      onEscapeKeyDown={(event) => {
        event.preventDefault();
        // Escape may also end the composition of a character or clear a search.
        if (!isComposing(event) && !isInSearch(event) && !isInOwnField(event) && !arming.isTooEarly(event))
          onDismiss();
      }}
      // A press beside the dialog is more often a slip than an answer, and would throw the person's input away.
      onPointerDownOutside={(event) => event.preventDefault()}
    >
      <Slot slotName="dialog" as="div">
        <SurfaceContext.Provider value={surface}>{children}</SurfaceContext.Provider>
      </Slot>
    </Dialog.Content>
  );
}

/** A long question is read from its beginning: no key must answer while the button with the focus is not visible. */
function findStart(panel: HTMLElement): HTMLElement {
  const start = panel.querySelector<HTMLElement>('[data-autofocus]') ?? panel;
  const isBelow = start.getBoundingClientRect().bottom > panel.getBoundingClientRect().bottom;
  return isBelow ? panel : start;
}

/** Moves an overlay above all others, so that the person sees the dialog that takes the keys. */
function raise(overlay: Element | null) {
  const all = overlay?.parentNode?.querySelectorAll('.hr-overlay');
  if (all?.[all.length - 1] !== overlay) overlay?.parentNode?.append(overlay);
}

/** Dialogs that are open together hide each other from screen readers. Shows the focused dialog to them and hides the rest. */
function unhide({ currentTarget: panel }: FocusEvent) {
  for (const element of document.querySelectorAll('[data-aria-hidden]')) {
    // For a focused element in a shadow root, `activeElement` is the host.
    const isExposed = element.contains(document.activeElement) || panel.contains(element);
    element.ariaHidden = isExposed ? null : 'true';
  }
}

/** Returns true for a key in a field that ends with Escape itself, such as that of an argument. */
function isInOwnField(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof Element && target.closest('[data-own-escape]') !== null;
}

/** Returns true for a key in a search field with text, also inside a shadow root. */
function isInSearch(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
}
