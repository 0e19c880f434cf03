import type { ReactNode, Ref } from 'react';
import type { ChatStatus } from '../../core/store/chat-state.ts';
import type { AttachmentOptions, UploadFile } from '../attachments/use-attachments.ts';
import type { Slots } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import type { ComposedMessage } from './use-composer-input.ts';

export interface ComposerProps {
  /**
   * Sends the message. Default: `sendMessage` of the chat from the `AgentChatProvider`. If the function throws or rejects,
   * the message counts as not sent and its text comes back into the field. With `onSend`, the app also provides `status`,
   * `onStop` and `onUpload`.
   */
  readonly onSend?: ((message: ComposedMessage) => unknown) | undefined;
  /** Default: the status of the chat; `idle` with `onSend`. */
  readonly status?: ChatStatus | undefined;
  /** Default: `stop` of the chat. */
  readonly onStop?: (() => void) | undefined;
  /** Default: `uploadFiles` of the chat, which needs the option `requestUploadUrls` of the chat. */
  readonly onUpload?: UploadFile | undefined;
  /**
   * The effect of sending while a question waits for the person. `reject`: only a hint. `cancel`: withdraws the question.
   * `queue`: the message waits until the question is answered. Default `reject`.
   */
  readonly whilePending?: 'reject' | 'cancel' | 'queue' | undefined;
  /**
   * Offers to answer an open question in words: sending then says no to every question that this person may answer, with the text as the
   * reason, and the hint says so. Files cannot go with it. Where no question is open, the text is a message, and `whilePending` counts.
   * With `onSend`, the app answers the questions itself. Default `false`.
   */
  readonly replyWhilePending?: boolean | undefined;
  /** Lets the person attach files: choose, drop or paste them. Default `false`. */
  readonly attachments?: boolean | AttachmentOptions | undefined;
  readonly placeholder?: string | undefined;
  /** A ref to the text field, for example to focus it. */
  readonly inputRef?: Ref<HTMLTextAreaElement> | undefined;
  /** Rendered between the field and the buttons, such as a picker of models. */
  readonly children?: ReactNode;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}
