import { useProvidedChat } from '../../react/agent-chat-provider.tsx';
import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import { uploadThroughChat } from '../attachments/use-attachments.ts';
import { Announcements } from '../primitives/announcement.tsx';
import { SlotsProvider } from '../primitives/slot.tsx';
import { englishDeliveryLabels } from '../text/delivery-labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { humaniseName } from '../text/safe-text.ts';
import { readQuestionName } from '../text/tool-prompt.ts';
import { ComposerBar } from './composer-bar.tsx';
import { ComposerForm } from './composer-form.tsx';
import type { ComposerProps } from './composer-props.ts';

/**
 * The field and buttons to write and send a message. Enter sends, Shift+Enter starts a new line, and Enter of an input
 * method picks a word. While a question waits, a hint says so and the text stays. The text of a message that could not be
 * sent comes back into the field.
 */
export function Composer({ labels, slots, ...props }: ComposerProps) {
  const { onSend } = props;
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        {onSend === undefined ? <ChatComposer {...props} /> : <ComposerForm {...props} onSend={onSend} />}
      </SlotsProvider>
    </LabelsProvider>
  );
}

function ChatComposer(props: ComposerProps) {
  const chat = useProvidedChat();
  const status = useAgentChatState((state) => state.status);
  const { whilePending = 'reject', replyWhilePending = false } = props;
  const calls = useAgentChatState((state) => state.pendingCalls);
  const questions = calls
    .filter(({ mayAnswer }) => mayAnswer !== false)
    .map((tool) => readQuestionName(tool));
  const isReply = replyWhilePending && questions.length > 0;
  return (
    <Announcements>
      <ComposerBar />
      <ComposerForm
        {...props}
        status={props.status ?? status}
        onStop={props.onStop ?? chat.stop}
        onUpload={props.onUpload ?? uploadThroughChat(chat)}
        // Questions for other people alone are no reason to offer an answer.
        replyWhilePending={replyWhilePending && (isReply || props.status !== undefined)}
        questions={questions}
        onSend={(message) => chat.sendMessage(message, { whilePending: isReply ? 'reply' : whilePending })}
        waitsForOthers={useWaitsForOthers()}
      />
    </Announcements>
  );
}

/** Says who is waited for, while all that waits is for other people. */
function useWaitsForOthers(): string | undefined {
  const labels = useLabels(englishDeliveryLabels);
  const [first, ...others] = useAgentChatState(({ pendingCalls }) => pendingCalls);
  if (first?.mayAnswer !== false || others.some(({ mayAnswer }) => mayAnswer !== false)) return undefined;
  return labels.waitsForOthers(first.definition?.title ?? humaniseName(first.toolName), first.waitsFor);
}
