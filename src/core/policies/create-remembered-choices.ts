import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { digestText } from '../../shared/digest-json.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { createId } from '../../shared/ids.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { maskSecrets, withoutSecrets } from '../../shared/secrets.ts';
import { createWebStorage, type StorageOption } from '../persistence/chat-storage.ts';
import { createPersistedList } from '../persistence/create-persisted-list.ts';
import type { ChoiceMemory, ChoiceToRemember, RememberableCall } from '../tools/choice-memory.ts';

/** A choice that a person wanted to have remembered. A JSON value. */
export interface RememberedChoice {
  readonly id: string;
  readonly toolName: string;
  readonly choice: ChoiceToRemember['choice'];
  readonly scope: ChoiceToRemember['scope'];
  /** The id of the conversation, with scope `conversation`. */
  readonly conversationId?: string;
  /** The digest of the tool as the person knew it. A tool with another title, description, input schema or severity asks again. */
  readonly definition?: string;
  /** What the tool was called then, for people. */
  readonly title?: string;
  /** Only for calls with these arguments; absent where it is for all calls of the tool. */
  readonly args?: unknown;
  /** Milliseconds since the epoch. */
  readonly rememberedAt: number;
}

/** Choices that were to be remembered. Pass it to a chat as `rememberedChoices`, to show them to `RememberedChoices`. */
export interface RememberedChoiceStore extends ChoiceMemory {
  /** As last read, newest first. Identical until something changes. */
  getChoices(): readonly RememberedChoice[];
  /** Calls back after changes, other tabs' included where the storage is `localStorage`. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Removes one choice: the next such call asks again. */
  revoke(id: string): Promise<void>;
  revokeAll(): Promise<void>;
}

export interface RememberedChoicesOptions {
  /** The storage of the choices. Default: `localStorage`. */
  readonly storage?: StorageOption;
  /** The key in the storage, one for each person who uses this browser. Default `handrail-choices`. */
  readonly key?: string;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
}

/** The oldest is forgotten beyond this many: its next call asks again, which is safe. */
const MOST_KEPT = 200;

/**
 * Creates a store for the choices that a person wanted to have remembered.
 *
 * A remembered "no" counts before a "yes", whichever came first. A choice counts for the tool as it was described: one
 * whose title, description, input schema or severity has changed since asks again, also after a "no". Arguments are compared as the agent sent them, and
 * stored in plain text. For calls that carry secrets, by the names of fields or by the tool's `input`, a choice for the same
 * arguments is never stored.
 */
export function createRememberedChoices({
  storage = createWebStorage(),
  key = 'handrail-choices',
  clock = systemClock,
}: RememberedChoicesOptions = {}): RememberedChoiceStore {
  const list = createPersistedList({ storage, key, isItem: isChoice });
  return {
    getChoices: list.getItems,
    subscribe: list.subscribe,
    async recall(call) {
      const definition = await digestDefinition(call.definition);
      const about = (await list.read()).filter(
        (choice) => choice.definition === definition && isAbout(choice, call),
      );
      return about.find(({ choice }) => choice === 'declined')?.choice ?? about[0]?.choice;
    },
    async remember(call, { choice, scope, sameArguments = false }) {
      const { toolName, args, conversationId, input, title } = call;
      const fault = findFault({ choice, scope, sameArguments });
      if (fault !== undefined)
        throw invalidOptions(`The choice about ${toolName} was not remembered: ${fault}.`);
      if (sameArguments && hasSecrets(args, input)) return;
      const definition = await digestDefinition(call.definition);
      const made: RememberedChoice = {
        id: createId(),
        toolName,
        choice,
        scope,
        ...compact({ definition, title }),
        ...(scope === 'conversation' && { conversationId }),
        ...(sameArguments && { args }),
        rememberedAt: clock.now(),
      };
      await list.change((before) =>
        [made, ...before.filter((earlier) => !isReplaced(earlier, made))].slice(0, MOST_KEPT),
      );
    },
    revoke: (id) => list.change((before) => before.filter((choice) => choice.id !== id)),
    revokeAll: () => list.change(() => []),
  };
}

/** A mistyped word would be kept and never found again. */
function findFault({ choice, scope, sameArguments }: Required<ChoiceToRemember>): string | undefined {
  if (choice !== 'allowed' && choice !== 'declined')
    return `choice must be 'allowed' or 'declined', not ${JSON.stringify(choice)}`;
  if (scope !== 'conversation' && scope !== 'browser')
    return `scope must be 'conversation' or 'browser', not ${JSON.stringify(scope)}`;
  if (typeof sameArguments !== 'boolean')
    return `sameArguments must be true or false, not ${JSON.stringify(sameArguments)}`;
  return undefined;
}

function hasSecrets(args: unknown, input: StandardSchemaV1 | undefined): boolean {
  const described = input && readStandardJsonSchema(input);
  return maskSecrets(args) !== args || withoutSecrets(args, described) !== args;
}

function isAbout(choice: RememberedChoice, call: RememberableCall): boolean {
  return (
    choice.toolName === call.toolName &&
    (choice.scope === 'browser' || choice.conversationId === call.conversationId) &&
    (choice.args === undefined || deepEqual(choice.args, call.args))
  );
}

/** A choice about an earlier definition of the tool counts no longer, and is not shown beside one that does. */
function isReplaced(earlier: RememberedChoice, made: RememberedChoice): boolean {
  if (earlier.toolName !== made.toolName) return false;
  const isSameQuestion = earlier.conversationId === made.conversationId && deepEqual(earlier.args, made.args);
  return isSameQuestion || earlier.definition !== made.definition;
}

/** Browsers offer the digest on https pages and localhost. On other pages the definition itself is kept. */
async function digestDefinition(definition: string | undefined): Promise<string | undefined> {
  const hasDigest = definition !== undefined && globalThis.isSecureContext !== false;
  return hasDigest ? digestText(definition) : definition;
}

function isChoice(value: unknown): value is RememberedChoice {
  if (!isRecord(value)) return false;
  const { id, toolName, choice, scope, conversationId, definition, title, rememberedAt } = value;
  return (
    typeof id === 'string' &&
    typeof toolName === 'string' &&
    (choice === 'allowed' || choice === 'declined') &&
    (scope === 'browser' || (scope === 'conversation' && typeof conversationId === 'string')) &&
    [definition, title].every((text) => text === undefined || typeof text === 'string') &&
    typeof rememberedAt === 'number'
  );
}
