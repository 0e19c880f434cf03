import * as Dialog from '@radix-ui/react-dialog';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { DialogFrameContext } from '../hooks/surface-context.ts';
import { swallow } from '../hooks/use-arming.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { useStyleCheck } from '../hooks/use-style-check.ts';
import { useVisibleRoom } from '../hooks/use-visible-room.ts';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';

/** Props of every modal question. */
export interface DialogFrameProps {
  /**
   * The element that the dialog is rendered into. Default: the body. Give an element inside a shadow root, inside a themed
   * part of the page, or inside a `<dialog>` that was opened with `showModal`, which covers every element outside of it.
   */
  readonly container?: HTMLElement | null | undefined;
  /** Class name added to the backdrop. */
  readonly overlayClassName?: string | undefined;
}

/** The frame props of a queue, for dialogs of the kit that an app's own component renders. */
export const DialogFrameDefaults = /* @__PURE__ */ createContext<DialogFrameProps>({});

/**
 * Backdrop, scroll lock and inert page of a modal question. A queue renders its next dialog on the same frame, so the
 * backdrop does not flicker.
 */
export function DialogFrame({
  open,
  children,
  ...own
}: DialogFrameProps & { open: boolean; children: ReactNode }) {
  const around = useContext(DialogFrameDefaults);
  const container = own.container ?? around.container;
  const overlayClassName = own.overlayClassName ?? around.overlayClassName;
  const { remember, restore } = useReturnFocus(open);
  const room = useVisibleRoom();
  useStyleCheck();
  const frame = useMemo(() => ({ remember, restore }), [remember, restore]);
  return (
    <Dialog.Root open={open}>
      <Dialog.Portal container={container ?? undefined}>
        <Dialog.Overlay asChild>
          <Slot
            slotName="overlay"
            as="div"
            ref={room}
            className={joinWords('hr-overlay', overlayClassName)}
            // React bubbles the event out of the portal, possibly into a form of the app.
            onSubmit={swallow}
          >
            <DialogFrameContext.Provider value={frame}>{children}</DialogFrameContext.Provider>
          </Slot>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
