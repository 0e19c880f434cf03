import type { AgentChat } from '../../chat/agent-chat.ts';
import type { InteractiveTool } from '../../tools/client-tool.ts';
import { holdWhileSeen, type NotificationText, notifyOnce } from './notify-once.ts';
import { findPageAttention } from './page-attention.ts';

/** The words of {@link watchAttention}. They name the agent and the site, never what is asked. */
export interface AttentionLabels {
  /** The title of the page while `count` questions wait. */
  attentionTitle(count: number, agent: string, site: string): string;
  /** The title of a notification. */
  attentionNotification(agent: string, site: string): string;
  /** The text of a notification. */
  attentionBody(agent: string, site: string): string;
  /** The agent, if the app gave it no name. */
  readonly attentionAgent: string;
}

export const englishAttentionLabels: AttentionLabels = {
  attentionTitle: (count, agent, site) => `(${count}) ${agent} asks – ${site}`,
  attentionNotification: (agent) => `${agent} asks`,
  attentionBody: (_, site) => `A question waits for you on ${site}.`,
  attentionAgent: 'The agent',
};

/** The words as they are now, and the name of the agent. */
export interface AttentionWords {
  readonly labels: AttentionLabels;
  readonly agentName: string | undefined;
}

/**
 * Says in the title and the icon of the page, and by a notification while the page is hidden, that a question waits for the person in
 * front of it. Questions for other people do not count.
 *
 * @param words read anew each time
 * @returns a function that ends it and restores title and icon
 */
export function watchAttention(chat: AgentChat, words: () => AttentionWords): () => void {
  const page = findPageAttention(document);
  const source = {};
  const known = new Map<string, () => void>();
  let unhold: (() => void) | undefined;

  const read = () => {
    const { labels, agentName } = words();
    return [labels, agentName ?? labels.attentionAgent, location.host || document.domain] as const;
  };
  const update = () => {
    const open = chat.getState().pendingCalls.filter(({ mayAnswer }) => mayAnswer !== false);
    page.claim(source, {
      count: open.length,
      toTitle: (count) => {
        const [labels, agent, site] = read();
        return labels.attentionTitle(count, agent, site);
      },
    });
    closeEnded(known, open);
    for (const tool of open) if (!known.has(tool.toolCallId)) known.set(tool.toolCallId, announce(tool));
  };
  const announce = ({ toolCallId }: InteractiveTool) => {
    if (!document.hidden) return () => {};
    const [labels, agent, site] = read();
    const text: NotificationText = {
      title: labels.attentionNotification(agent, site),
      body: labels.attentionBody(agent, site),
    };
    return notifyOnce(chat.id, toolCallId, text, () => showQuestion(toolCallId));
  };
  const onVisibility = () => {
    unhold?.();
    unhold = document.hidden ? undefined : holdWhileSeen(chat.id);
    if (!document.hidden) for (const close of known.values()) close();
  };

  onVisibility();
  update();
  const unsubscribe = chat.subscribe(update);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
    unhold?.();
    closeEnded(known, []);
    page.claim(source, { count: 0, toTitle: () => '' });
  };
}

/** Closes the notifications of questions that no longer wait. */
function closeEnded(known: Map<string, () => void>, open: readonly InteractiveTool[]): void {
  for (const [id, close] of known) {
    if (open.some(({ toolCallId }) => toolCallId === id)) continue;
    known.delete(id);
    close();
  }
}

/** Moves the page to a question and the focus into it. Dialogs and cards carry the id of their call. */
function showQuestion(toolCallId: string): void {
  const question = document.querySelector<HTMLElement>(`[data-call="${CSS.escape(toolCallId)}"]`);
  question?.scrollIntoView({ block: 'nearest' });
  question?.focus();
}
