import type { ReactNode, Ref } from 'react';
import type { ChatStatus } from '../../store/chat-state.ts';
import type { Slots } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import type { AttachmentOptions, UploadFile } from './use-attachments.ts';
import type { ComposedMessage } from './use-composer-input.ts';

export interface ComposerProps {
  /**
   * Sends what was written. Default: `sendMessage` of the chat around it (`AgentChatProvider`). When it throws or
   * rejects, nothing was sent and what was written comes back. With it, `status`, `onStop` and `onUpload` are yours
   * too.
   */
  readonly onSend?: ((message: ComposedMessage) => unknown) | undefined;
  /** Default: that of the chat; `idle` with `onSend`. */
  readonly status?: ChatStatus | undefined;
  /** Default: `stop` of the chat. */
  readonly onStop?: (() => void) | undefined;
  /** Default: `uploadFiles` of the chat, which needs its option `requestUploadUrls`. */
  readonly onUpload?: UploadFile | undefined;
  /**
   * What sending does while a question waits for the person: nothing but say so, withdraw the question, or wait until
   * it is answered. Default `reject`.
   */
  readonly whilePending?: 'reject' | 'cancel' | 'queue' | undefined;
  /** Lets files be attached: chosen, dropped or pasted. Default `false`. */
  readonly attachments?: boolean | AttachmentOptions | undefined;
  readonly placeholder?: string | undefined;
  /** The field, to put the focus there. */
  readonly inputRef?: Ref<HTMLTextAreaElement> | undefined;
  /** Between the field and the buttons, such as a picker of models. */
  readonly children?: ReactNode;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers of its parts, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}
