import { useState } from 'react';
import { useProvidedChat } from '../../react/agent-chat-provider.tsx';
import { usePendingClientTools } from '../../react/use-pending-client-tools.ts';
import { TypingContext, useTypingWatch } from '../hooks/use-arming.ts';
import { AnnounceContext, useAnnouncements } from '../primitives/announcement.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import { reportFailure } from '../primitives/report-failure.ts';
import { type Slots, SlotsProvider } from '../primitives/slot.tsx';
import { RetainedQuestionsContext, SiblingsContext } from '../primitives/surface-context.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider } from '../text/labels-context.tsx';
import { InlineQueue } from './inline-queue.tsx';
import { ModalQueue } from './modal-queue.tsx';
import { QueueNotice } from './queue-notice.tsx';
import { useToolQueue } from './use-tool-queue.ts';

export interface ClientToolDialogsProps extends DialogFrameProps {
  /** The calls to answer. Default: every pending call of the chat around it (`AgentChatProvider`). */
  readonly tools?: readonly AnyTool[] | undefined;
  /** `modal`: one dialog at a time. `inline`: a card for each call, where this component stands. Default `modal`. */
  readonly mode?: 'modal' | 'inline' | undefined;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers of the parts of every dialog or card, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  /** Added to every dialog or card. */
  readonly className?: string | undefined;
  /** Told when a dialog could not be shown; its call is cancelled by then. Default: `reportError`. */
  readonly onError?: ((error: unknown, tool: AnyTool) => void) | undefined;
}

/**
 * Shows the right dialog for the next call that waits for a person.
 *
 * Which one: the tool's `ui` (a word or a component); a form for a tool with an `output` schema; else by the shape
 * of the arguments: `{ fields }` makes a form, `{ options }` a choice, the `params` of an MCP elicitation what they ask
 * for, anything else, such as `{ action, description }`, a confirmation.
 */
export function ClientToolDialogs({ tools, ...props }: ClientToolDialogsProps) {
  return (
    <LabelsProvider labels={props.labels}>
      <SlotsProvider slots={props.slots}>
        {tools === undefined ? <ChatQueue {...props} /> : <Queue {...props} tools={tools} />}
      </SlotsProvider>
    </LabelsProvider>
  );
}

type QueueProps = Omit<ClientToolDialogsProps, 'tools' | 'labels' | 'parts'>;

function ChatQueue(props: QueueProps) {
  const tools = usePendingClientTools();
  // What was answered or taken away in one chat says nothing about a call of another with the same id.
  return <Queue key={useProvidedChat().id} {...props} tools={tools} />;
}

function Queue({
  tools,
  mode = 'modal',
  onError = reportFailure,
  ...surface
}: QueueProps & { tools: readonly AnyTool[] }) {
  const queue = useToolQueue(tools, mode);
  const typing = useTypingWatch();
  const { announce, text: said } = useAnnouncements();
  const [failed, setFailed] = useState<string>();
  const fail = (error: unknown, tool: AnyTool) => {
    queue.markAnswered(tool);
    setFailed(tool.toolName);
    onError(error, tool);
  };
  const View = mode === 'modal' ? ModalQueue : InlineQueue;
  return (
    <TypingContext.Provider value={typing}>
      <AnnounceContext.Provider value={announce}>
        <SiblingsContext.Provider value={queue}>
          <RetainedQuestionsContext.Provider value={queue.retained}>
            <View {...surface} queue={queue} onError={fail} />
          </RetainedQuestionsContext.Provider>
        </SiblingsContext.Provider>
      </AnnounceContext.Provider>
      <QueueNotice
        failedTool={failed}
        withdrawn={queue.withdrawn}
        said={said}
        pending={mode === 'inline' ? queue.open : 0}
        onDismiss={() => {
          setFailed(undefined);
          queue.dismissWithdrawn();
        }}
      />
    </TypingContext.Provider>
  );
}
