import { useState } from 'react';
import { useProvidedChat } from '../../react/agent-chat-provider.tsx';
import { usePendingClientTools } from '../../react/use-pending-client-tools.ts';
import { reportThrown } from '../../shared/report-thrown.ts';
import type { AnyTool } from '../any-tool.ts';
import { RetainedQuestionsContext, SiblingsContext } from '../hooks/surface-context.ts';
import { AnnounceContext, useAnnouncements } from '../primitives/announcement.tsx';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import { type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider } from '../text/labels-context.tsx';
import { InlineQueue } from './inline-queue.tsx';
import { ModalQueue } from './modal-queue.tsx';
import { KindsContext, type QuestionKind } from './question-kinds.ts';
import { QueueNotice } from './queue-notice.tsx';
import { useSoleDialogs } from './use-sole-dialogs.ts';
import { useToolQueue } from './use-tool-queue.ts';

export interface ClientToolDialogsOfProps extends DialogFrameProps {
  /** The calls to answer. Default: every pending call of the chat from the `AgentChatProvider`. */
  readonly tools?: readonly AnyTool[] | undefined;
  /** `modal`: one dialog at a time. `inline`: a card for each call, rendered in place. Default `modal`. */
  readonly mode?: 'modal' | 'inline' | undefined;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for elements of every dialog or card, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  /** Class name added to every dialog or card. */
  readonly className?: string | undefined;
  /**
   * Says what the cross and Escape of a dialog do. `cancel`: the agent is told that the person cancelled. `later`: nothing is answered; the
   * question becomes the held question (`useHeldQuestion`), by default a pill at the foot of the page, and what was typed stays. A reload
   * shows it again. Default `cancel`. Cards have their own place, so `later` is for `mode="modal"`.
   */
  readonly dismiss?: 'cancel' | 'later' | undefined;
  /**
   * The kinds of questions that the page can show. A question of another kind is shown to read, with a no, and a warning in development
   * names the kind.
   */
  readonly kinds: readonly QuestionKind[];
  /** Called when a dialog could not be rendered, after its call was settled as `failed`. Default: `reportError`. */
  readonly onError?: ((error: unknown, tool: AnyTool) => void) | undefined;
}

/**
 * `ClientToolDialogs` for a page that needs few kinds of questions: only those in `kinds` get into the bundle. A component whose default
 * is every kind has all of them in the bundle, whatever it is given, so this one has no default.
 */
export function ClientToolDialogsOf({ tools, kinds, ...props }: ClientToolDialogsOfProps) {
  return (
    <LabelsProvider labels={props.labels}>
      <SlotsProvider slots={props.slots}>
        <KindsContext.Provider value={kinds}>
          {tools === undefined ? <ChatQueue {...props} /> : <Queue {...props} tools={tools} />}
        </KindsContext.Provider>
      </SlotsProvider>
    </LabelsProvider>
  );
}

type QueueProps = Omit<ClientToolDialogsOfProps, 'tools' | 'kinds' | 'labels' | 'slots'>;

function ChatQueue(props: QueueProps) {
  const tools = usePendingClientTools();
  const chat = useProvidedChat();
  const { getState } = chat;
  useSoleDialogs(chat);
  const [shown, setShown] = useState({ getState, key: 0 });
  if (shown.getState !== getState) setShown({ getState, key: shown.key + 1 });
  // The queue remembers answered calls by id, and another chat may use the same ids. The chat's own id is no key: reading it would
  // draw a random number during the render.
  return <Queue key={shown.key} {...props} tools={tools} />;
}

function Queue({
  tools,
  mode = 'modal',
  onError = reportThrown,
  ...surface
}: QueueProps & { tools: readonly AnyTool[] }) {
  // A call that other people have to answer waits without a dialog.
  const own = tools.filter(({ mayAnswer }) => mayAnswer !== false);
  const queue = useToolQueue(own, mode);
  const { announce, text: announced } = useAnnouncements();
  const [failed, setFailed] = useState<string>();
  const fail = (error: unknown, tool: AnyTool) => {
    queue.markAnswered(tool);
    setFailed(tool.toolName);
    onError(error, tool);
  };
  const View = mode === 'modal' ? ModalQueue : InlineQueue;
  return (
    <>
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
        announced={announced}
        pending={mode === 'inline' ? queue.open : 0}
        onDismiss={() => {
          setFailed(undefined);
          queue.dismissWithdrawn();
        }}
      />
    </>
  );
}
