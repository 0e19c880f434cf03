/** Waits for the questions of a chat, and for the end of its turn. */
import type { AgentChat, AgentChatState } from '../../src/core.ts';

type Question = AgentChatState['pendingCalls'][number];

/** Resolves with the open question that shows a text: in its arguments, or in what the agent says of it. */
export function untilQuestion(chat: AgentChat, text: string): Promise<Question> {
  return untilOpen(chat, `says "${text}"`, (call) => shownText(call).includes(text));
}

/** Resolves with the open question about a call. */
export function untilAsked(chat: AgentChat, toolCallId: string): Promise<Question> {
  return untilOpen(chat, `is about ${toolCallId}`, (call) => call.toolCallId === toolCallId);
}

function untilOpen(chat: AgentChat, name: string, isMeant: (call: Question) => boolean): Promise<Question> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { pendingCalls, error } = chat.getState();
      const question = pendingCalls.find((call) => call.status === 'waiting' && isMeant(call));
      if (question === undefined && error === null) return;
      unsubscribe();
      if (question) resolve(question);
      else reject(new Error(`No question ${name}: ${error?.code} ${error?.message}`));
    };
    const unsubscribe = chat.subscribe(look);
    look();
  });
}

export function shownText({ args, definition }: Question): string {
  return JSON.stringify([args, definition?.description ?? '']);
}

/** Resolves with the texts of the last message once the turn is over. */
export async function untilAnswered(chat: AgentChat): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      const { status, error } = chat.getState();
      if (error !== null) reject(new Error(`${error.code}: ${error.message}`));
      if (status === 'idle') resolve();
    };
    chat.subscribe(look);
    look();
  });
  return textOf(chat);
}

export function textOf(chat: AgentChat): string {
  const parts = chat.getState().messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
}
