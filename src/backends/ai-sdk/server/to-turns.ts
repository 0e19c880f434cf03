import type { AiSdkMessage } from '../ui-message.ts';

/** Says what a session does not have of an imported message, or has for the model alone. */
export interface NotCarried {
  /** The message that has it. */
  readonly messageId: string;
  /** The type of the part, `system` for a message of the system, `id` for the id of a message. */
  readonly type: string;
  /** Present for a call. */
  readonly toolCallId?: string;
  /** Tells the person who imports, in English, what became of it. */
  readonly why: string;
}

/** A message of a person with what was answered to it. The first turn has no such message where the assistant spoke first. */
export interface MessagesOfTurn {
  readonly user: AiSdkMessage | undefined;
  readonly assistants: readonly AiSdkMessage[];
}

/** Splits a conversation into its turns. A session has one message of the assistant in each, and none of the system. */
export function toTurns(messages: readonly AiSdkMessage[]): {
  readonly turns: readonly MessagesOfTurn[];
  readonly notCarried: readonly NotCarried[];
} {
  const turns: { user: AiSdkMessage | undefined; assistants: AiSdkMessage[] }[] = [];
  const notCarried: NotCarried[] = [];
  for (const message of messages) {
    const { id: messageId, role } = message;
    const turn = turns.at(-1);
    if (role === 'system') {
      const why = 'Left out: instructions of a model belong to the agent, as `system` of createAiSdkAgent.';
      notCarried.push({ messageId, type: 'system', why });
    } else if (role === 'user') {
      turns.push({ user: message, assistants: [] });
    } else if (turn === undefined) {
      turns.push({ user: undefined, assistants: [message] });
    } else {
      const [first] = turn.assistants;
      if (first !== undefined) {
        const why = `Joined to message '${first.id}': a session has one message of the assistant in each turn.`;
        notCarried.push({ messageId, type: 'id', why });
      }
      turn.assistants.push(message);
    }
  }
  return { turns, notCarried };
}
