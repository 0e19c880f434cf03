import * as Dialog from '@radix-ui/react-dialog';
import { type FocusEvent, type ReactNode, useCallback, useContext } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { isComposing } from '../../shared/is-composing.ts';
import { DialogFrameContext, SurfaceContext, useSurface } from '../hooks/surface-context.ts';
import type { AnswerState } from '../hooks/use-answer.ts';
import { ArmingContext } from '../hooks/use-arming.ts';
import { usePanelFocus } from '../hooks/use-panel-focus.ts';
import { TypingContext } from '../hooks/watch-typing.ts';
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
  const { armed, isEarly } = useContext(ArmingContext);
  const typing = useContext(TypingContext);
  const frame = useContext(DialogFrameContext);
  const focus = usePanelFocus(useCallback(() => frame?.remember(), [frame]));
  return (
    <Dialog.Content
      asChild
      className={joinWords('hr-surface', 'hr-dialog', className)}
      // What cannot be undone interrupts, so that screen readers read all of it at once.
      role={severity === 'destructive' ? 'alertdialog' : 'dialog'}
      data-call={toolCallId}
      data-kind={kind}
      data-severity={severity}
      data-answer={state.status}
      data-outcome={state.status === 'settled' ? state.outcome : undefined}
      data-arming={armed ? 'armed' : 'arming'}
      aria-modal
      aria-labelledby={surface.titleId}
      aria-describedby={described ? surface.descriptionId : undefined}
      onFocus={unhide}
      {...focus.props}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        focus.noteOrigin();
        raise((event.currentTarget as HTMLElement).closest('.hr-overlay'));
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        frame?.restore();
      }}
      onEscapeKeyDown={(event) => {
        event.preventDefault();
        // Escape may also end the composition of a character, clear a search, or be meant for the field that still has the focus.
        if (
          isComposing(event) ||
          isInSearch(event) ||
          isInOwnField(event) ||
          isEarly() ||
          typing?.isTyping() === true
        )
          return;
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
