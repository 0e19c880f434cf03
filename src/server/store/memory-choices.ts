import { type ChoiceStore, choiceKey, type StoredChoice } from './choice-store.ts';

/** Choices in memory. Beyond `maxPeople`, those of the person who chose first are dropped: their next call asks again, which is safe. */
export function createMemoryChoices(maxPeople: number): ChoiceStore {
  const people = new Map<string, ReadonlyMap<string, StoredChoice>>();
  return {
    list: async (principalId) => [...(people.get(principalId)?.values() ?? [])],
    async save(principalId, choice) {
      people.set(principalId, new Map(people.get(principalId)).set(choiceKey(choice), { ...choice }));
      const [first] = people.keys();
      if (people.size > maxPeople && first !== undefined) people.delete(first);
    },
    async remove(principalId, toolName) {
      const before = [...(people.get(principalId) ?? [])];
      const choices = new Map(before.filter(([, choice]) => choice.toolName !== toolName));
      if (choices.size > 0) people.set(principalId, choices);
      else people.delete(principalId);
    },
  };
}
