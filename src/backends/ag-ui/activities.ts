import type { AgentEvent } from '../../core/protocol/events.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { applyPatch } from './apply-patch.ts';
import { type AgUiEvent, type AgUiMessage, currentTurn } from './messages.ts';
import { toMessages } from './thread-builder.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Work of the agent that has content for the app, such as a plan (AG-UI, activity messages). It is not posted with the thread. */
export interface Activity {
  readonly messageId: string;
  readonly activityType: string;
  readonly content: unknown;
}

/** The activities of a thread, and the events that tell of them. */
export class Activities {
  readonly #byId: Map<string, Activity>;
  /** The ids of those that this response has shown. */
  readonly #shown = new Set<string>();

  constructor(known: readonly Activity[]) {
    this.#byId = new Map(known.map((activity) => [activity.messageId, activity]));
  }

  get all(): readonly Activity[] {
    return [...this.#byId.values()];
  }

  /** Reads an event about an activity. Returns no events if nothing changes, as for a patch that fails or whose activity is unknown. */
  read(event: AgUiEvent): readonly AgentEvent[] {
    const messageId = String(event.messageId);
    const known = this.#byId.get(messageId);
    if (event.type === 'ACTIVITY_DELTA') {
      const content = applyPatch(known?.content, event.patch);
      return known === undefined || content === known.content ? [] : [this.#put({ ...known, content })];
    }
    if (known && event.replace === false) return [];
    return this.#show({ messageId, activityType: String(event.activityType), content: event.content });
  }

  /** Reads the activities of the current turn in a snapshot of the messages, which repeats what is known. */
  readSnapshot({ messages: given, metadata }: AgUiEvent): readonly AgentEvent[] {
    const messages = toMessages(given);
    const ended = this.#removeMissing(messages, metadata);
    const shown = currentTurn(messages)
      .filter(({ role }) => role === 'activity')
      .flatMap(({ id: messageId, activityType, content }) => {
        const known = this.#byId.get(messageId);
        if (known === undefined)
          return this.#show({ messageId, activityType: String(activityType), content });
        return deepEqual(known.content, content) ? [] : [this.#put({ ...known, content })];
      });
    return [...ended, ...shown];
  }

  /** A snapshot that says which types of activities it owns, or with null that it owns all, has all of them that there are. */
  #removeMissing(messages: readonly AgUiMessage[], metadata: unknown): readonly AgentEvent[] {
    const { authoritativeActivityTypes: owned } = Object(
      (metadata as Metadata | undefined)?.['@ag-ui/client'],
    );
    if (owned !== null && !Array.isArray(owned)) return [];
    const present = new Set(messages.map(({ id }) => id));
    const missing = this.all.filter(
      ({ messageId, activityType }) =>
        !present.has(messageId) && (owned === null || owned.includes(activityType)),
    );
    for (const { messageId } of missing) this.#byId.delete(messageId);
    return missing
      .filter(({ messageId }) => this.#shown.delete(messageId))
      .map(({ messageId }) => ({ type: 'block-end', blockId: messageId }));
  }

  /** The page shows an activity as work that is under way. */
  #show(activity: Activity): readonly AgentEvent[] {
    const { messageId, activityType: type } = activity;
    const update = this.#put(activity);
    if (this.#shown.has(messageId)) return [update];
    this.#shown.add(messageId);
    const block = { blockId: messageId, blockName: type, blockType: type, isOperation: true };
    return [{ type: 'block-start', ...block, display: 'name' }, update];
  }

  /** The content is for the app. */
  #put(activity: Activity): AgentEvent {
    this.#byId.set(activity.messageId, activity);
    return { type: 'resource-update', name: 'activity', value: activity };
  }
}
