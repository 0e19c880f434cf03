/** The page of both columns of handrail. */
import { type UseAgentChatOptions, useAgentChat } from 'handrail';
import { View } from './view.tsx';

export function HandrailPage(options: UseAgentChatOptions) {
  const { messages, status, error, pendingCalls, sendMessage, stop, retry } = useAgentChat(options);
  return (
    <View
      isStill={status === 'idle' || status === 'awaiting-input'}
      messages={messages.map(({ id, parts }) => ({
        id,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
      }))}
      questions={pendingCalls.map(({ toolCallId, args, definition, submit, decline }) => ({
        id: toolCallId,
        args,
        allow: () => void submit({ confirmed: true }),
        decline: () => void decline('no'),
        allowWith: definition?.editable
          ? (amount) => void submit({ confirmed: true, editedArgs: { ...args, amount } })
          : undefined,
      }))}
      error={error?.message}
      send={(text) => void sendMessage(text, { whilePending: 'cancel' })}
      stop={stop}
      retry={() => void retry()}
    />
  );
}
