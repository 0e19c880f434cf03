import * as Dialog from '@radix-ui/react-dialog';
import { type ReactNode, useMemo } from 'react';
import { classNames } from './class-names.ts';
import { Part } from './part.tsx';
import { DialogFrameContext } from './surface-context.ts';
import { useReturnFocus } from './use-return-focus.ts';

/** Props of every modal question. */
export interface DialogFrameProps {
  /** Where the portal goes; default the body. Give an element inside a shadow root or a themed part of the page. */
  readonly container?: HTMLElement | null | undefined;
  /** Added to the backdrop. */
  readonly overlayClassName?: string | undefined;
}

/**
 * Backdrop, scroll lock and inert page of a modal question. It may outlive its dialog: the next one of a row
 * appears on the same backdrop, without flicker.
 */
export function DialogFrame({
  open,
  container,
  overlayClassName,
  children,
}: DialogFrameProps & { open: boolean; children: ReactNode }) {
  const { remember, restore } = useReturnFocus(open);
  const frame = useMemo(() => ({ remember, restore }), [remember, restore]);
  return (
    <Dialog.Root open={open}>
      <Dialog.Portal container={container ?? undefined}>
        <Dialog.Overlay asChild>
          <Part partName="overlay" as="div" className={classNames('hr-overlay', overlayClassName)}>
            <DialogFrameContext.Provider value={frame}>{children}</DialogFrameContext.Provider>
          </Part>
        </Dialog.Overlay>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
