import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useBeforePaint } from '../../components/hooks/use-before-paint.ts';
import type { AgentChat } from '../../core/chat/agent-chat.ts';
import type { ClientTools } from '../../core/tools/client-tool.ts';
import type { Faults } from '../create-faults.ts';
import { createRecorder, type Recorder } from '../create-recorder.ts';
import { Panel } from './panel.tsx';
import { addStyles } from './styles.ts';

export interface HandrailDevtoolsProps<Tools extends ClientTools = ClientTools> {
  /** The chat that `useAgentChat` or `createAgentChat` returned. */
  readonly chat: AgentChat<Tools>;
  /** The switches of `createFaults()`, whose `wrap` made the transport of the chat. Default: no switches. */
  readonly faults?: Faults | undefined;
  /** Shows the panel from the start. Default `false`. */
  readonly initiallyOpen?: boolean | undefined;
}

/**
 * A button at the edge of the page that opens a panel for developers at its foot: the timeline of the chat, the life of its calls, what is known of
 * the page, and a recording to attach to a bug report. Secrets are masked. It records from its mount on, opens for nobody but who
 * presses its button, and keeps its keys and styles to itself.
 */
export function HandrailDevtools<Tools extends ClientTools>({
  chat,
  faults,
  initiallyOpen = false,
}: HandrailDevtoolsProps<Tools>) {
  const [root, setRoot] = useState<ShadowRoot>();
  const recorder = useRecorder(chat as unknown as AgentChat);
  const attach = (host: HTMLElement | null) => {
    if (host === null || root !== undefined) return;
    const made = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    addStyles(made);
    for (const type of KEY_EVENTS) host.addEventListener(type, stop);
    setRoot(made);
  };
  return (
    <div ref={attach} data-handrail-devtools="">
      {root !== undefined &&
        recorder !== undefined &&
        createPortal(
          <Content recorder={recorder} faults={faults} initiallyOpen={initiallyOpen} />,
          root as unknown as Element,
        )}
    </div>
  );
}

/** Shortcuts of the app would take what is typed into the filter: outside of a shadow root the field cannot be seen. */
const KEY_EVENTS = ['keydown', 'keypress', 'keyup'] as const;

function stop(event: Event | SyntheticEvent): void {
  event.stopPropagation();
}

function useRecorder(chat: AgentChat): Recorder | undefined {
  const [recorder, setRecorder] = useState<Recorder>();
  // `useAgentChat` returns another object for each state; the functions in it are those of the chat. A layout effect runs before the
  // hooks use the chat for the first time.
  useBeforePaint(() => {
    const made = createRecorder(chat);
    setRecorder(made);
    return made.stop;
  }, [chat.getState]);
  return recorder;
}

interface ContentProps {
  readonly recorder: Recorder;
  readonly faults: Faults | undefined;
  readonly initiallyOpen: boolean;
}

function Content({ recorder, faults, initiallyOpen }: ContentProps) {
  const [isOpen, setOpen] = useState(initiallyOpen);
  const toggle = useRef<HTMLButtonElement>(null);
  const wasClosed = useRef(false);
  useEffect(() => {
    // The button that closed the panel has gone with it.
    if (wasClosed.current) toggle.current?.focus();
    wasClosed.current = false;
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears no key, and keeps those of its controls from the app's handlers
    <div onKeyDown={stop} onKeyUp={stop}>
      {isOpen ? (
        <Panel
          recorder={recorder}
          faults={faults}
          onClose={() => {
            wasClosed.current = true;
            setOpen(false);
          }}
        />
      ) : (
        <button ref={toggle} type="button" className="toggle" onClick={() => setOpen(true)}>
          handrail devtools
        </button>
      )}
    </div>
  );
}
