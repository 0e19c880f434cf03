import {
  type ChoiceStore,
  choiceKey,
  limitedChoicePrefix,
  type StoredChoice,
} from '../../store/choice-store.ts';
import { toKeyText } from '../../store/key-text.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';

/** Remembered choices: a hash for each person, with a field for each choice. */
export function createRedisChoices(client: RedisConnection, keys: RedisKeys): ChoiceStore {
  return {
    async list(principalId) {
      const values = (await client.sendCommand(['HVALS', keys.choices(principalId)])) as readonly unknown[];
      return values.map((value) => JSON.parse(String(value)) as StoredChoice);
    },
    async save(principalId, choice) {
      const field = toKeyText(choiceKey(choice));
      await client.sendCommand(['HSET', keys.choices(principalId), field, JSON.stringify(choice)]);
    },
    async remove(principalId, toolName) {
      const key = keys.choices(principalId);
      const fields = (await client.sendCommand(['HKEYS', key])) as readonly unknown[];
      const prefix = toKeyText(limitedChoicePrefix(toolName));
      const limited = fields.map(String).filter((field) => field.startsWith(prefix));
      await client.sendCommand(['HDEL', key, toKeyText(toolName), ...limited]);
    },
  };
}
