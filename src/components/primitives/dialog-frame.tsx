import * as Dialog from '@radix-ui/react-dialog';
import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import { ClockContext, swallow } from '../hooks/use-arming.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { useVisibleRoom } from '../hooks/use-visible-room.ts';
import { joinWords } from './join-words.ts';
import { Slot } from './slot.tsx';
import { DialogFrameContext } from './surface-context.ts';

/** Props of every modal question. */
export interface DialogFrameProps {
  /**
   * Where the portal goes; default the body. Give an element inside a shadow root, inside a themed part of the page, or
   * inside a `<dialog>` that was opened with `showModal`, which lies above everything outside it.
   */
  readonly container?: HTMLElement | null | undefined;
  /** Added to the backdrop. */
  readonly overlayClassName?: string | undefined;
}

/** Set by a queue for dialogs it does not render itself: those of an app's own component. */
export const DialogFrameDefaults = /* @__PURE__ */ createContext<DialogFrameProps>({});

/**
 * Backdrop, scroll lock and inert page of a modal question. It may outlive its dialog: the next one of a row
 * appears on the same backdrop, without flicker.
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
  const clock = useContext(ClockContext);
  const room = useVisibleRoom();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const frame = useMemo(() => ({ remember, restore, pressedAt }), [remember, restore]);
  return (
    <Dialog.Root open={open}>
      <Dialog.Portal container={container ?? undefined}>
        <Dialog.Overlay asChild>
          <Slot
            slotName="overlay"
            as="div"
            ref={room}
            className={joinWords('hr-overlay', overlayClassName)}
            onPointerDownCapture={() => {
              pressedAt.current = clock.now();
            }}
            // React takes it up to where the component stands, which may be a form of the app's.
            onSubmit={swallow}
          >
            <DialogFrameContext.Provider value={frame}>{children}</DialogFrameContext.Provider>
          </Slot>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
