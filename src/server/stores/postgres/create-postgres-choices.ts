import {
  type ChoiceStore,
  choiceKey,
  limitedChoicePrefix,
  type StoredChoice,
} from '../../store/choice-store.ts';
import { toKeyText } from '../../store/key-text.ts';

const LIST = 'select choice from handrail_choices where principal_id = $1 order by tool_name';

const SAVE = `
insert into handrail_choices (principal_id, tool_name, choice) values ($1, $2, $3)
on conflict (principal_id, tool_name) do update set choice = excluded.choice`;

const REMOVE = `
delete from handrail_choices
where principal_id = $1 and (tool_name = $2 or left(tool_name, length($3)) = $3)`;

/** Remembered choices in the table `handrail_choices`. Its `tool_name` is the key of the choice, which is more than the name for some. */
export function createPostgresChoices(
  query: (text: string, values: unknown[]) => Promise<readonly object[]>,
): ChoiceStore {
  return {
    async list(principalId) {
      const rows = (await query(LIST, [toKeyText(principalId)])) as readonly { readonly choice: string }[];
      return rows.map(({ choice }) => JSON.parse(choice) as StoredChoice);
    },
    async save(principalId, choice) {
      await query(SAVE, [toKeyText(principalId), toKeyText(choiceKey(choice)), JSON.stringify(choice)]);
    },
    async remove(principalId, toolName) {
      const prefix = toKeyText(limitedChoicePrefix(toolName));
      await query(REMOVE, [toKeyText(principalId), toKeyText(toolName), prefix]);
    },
  };
}
