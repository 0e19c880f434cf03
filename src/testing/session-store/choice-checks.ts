/** The rules for `choices`. A store without it passes, because nothing is remembered then. */
import type { ChoiceStore, StoredChoice } from '../../server/store/choice-store.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { createId } from '../../shared/ids.ts';
import { assertEqual, type OpenSessionStore, type StoreCheck } from './store-check.ts';

export const choiceChecks: readonly StoreCheck[] = [
  { name: 'a person has the choices that were saved last, one for each tool', check: saveChoices },
  { name: 'a choice about some calls of a tool stands beside the one about all of them', check: saveLimited },
  { name: 'a choice that was removed is gone, and the others stay', check: removeChoice },
  { name: 'the choices of people with similar ids are separate', check: saveSimilarPeople },
];

/** Each `openStore` in this check stands for another process. */
export const durableChoiceChecks: readonly StoreCheck[] = [
  { name: 'another process finds the choices', check: listElsewhere },
];

function createChoice(toolName: string, choice: StoredChoice['choice'] = 'allowed'): StoredChoice {
  const answer = { sessionId: 'é\u0000', executionId: 'execution-1', toolCallId: 'call-1' };
  return { toolName, definition: 'digest', choice, rememberedAt: 1_700_000_000_000, ...answer };
}

async function saveChoices(openStore: OpenSessionStore): Promise<void> {
  const { choices } = await openStore();
  if (choices === undefined) return;
  const person = createId();
  await assertChoices(choices, person, []);
  for (const choice of [createChoice('a'), createChoice('b'), createChoice('a', 'declined')])
    await choices.save(person, choice);
  await assertChoices(choices, person, [createChoice('a', 'declined'), createChoice('b')]);
}

async function saveLimited(openStore: OpenSessionStore): Promise<void> {
  const { choices } = await openStore();
  if (choices === undefined) return;
  const person = createId();
  const all = createChoice('a');
  const same = { ...createChoice('a', 'declined'), digest: 'd-1' };
  const here = { ...same, scope: 'conversation' as const };
  const other = { ...same, digest: 'd-2' };
  const ofOther = createChoice('ab');
  for (const choice of [all, same, here, other, ofOther, { ...same, choice: 'allowed' as const }])
    await choices.save(person, choice);
  const texts = (list: readonly StoredChoice[]) => list.map((choice) => canonicalJson(choice)).sort();
  assertEqual(
    texts(await choices.list(person)),
    texts([all, { ...same, choice: 'allowed' }, here, other, ofOther]),
    'save() must replace the choice with the same digest and scope alone',
  );
  await choices.remove(person, 'a');
  await assertChoices(choices, person, [ofOther]);
}

async function removeChoice(openStore: OpenSessionStore): Promise<void> {
  const { choices } = await openStore();
  if (choices === undefined) return;
  const person = createId();
  for (const toolName of ['a', 'b']) await choices.save(person, createChoice(toolName));
  for (const toolName of ['a', 'never saved']) await choices.remove(person, toolName);
  await assertChoices(choices, person, [createChoice('b')]);
}

async function saveSimilarPeople(openStore: OpenSessionStore): Promise<void> {
  const { choices } = await openStore();
  if (choices === undefined) return;
  const id = createId();
  const people = [
    id,
    `${id} `,
    `${id}\u0000`,
    `${id}:`,
    `${id}é`,
    `${id}e\u0301`,
    `${id}\ud83d`,
    `${id}\ude00`,
  ];
  for (const [index, person] of people.entries()) await choices.save(person, createChoice(`tool ${index}`));
  for (const [index, person] of people.entries())
    await assertChoices(choices, person, [createChoice(`tool ${index}`)]);
}

async function listElsewhere(openStore: OpenSessionStore): Promise<void> {
  const [store, other] = [await openStore(), await openStore()];
  if (store.choices === undefined || other.choices === undefined) return;
  const person = createId();
  await store.choices.save(person, createChoice('a'));
  await assertChoices(other.choices, person, [createChoice('a')]);
}

async function assertChoices(
  choices: ChoiceStore,
  person: string,
  expected: readonly StoredChoice[],
): Promise<void> {
  const listed = [...(await choices.list(person))].sort((a, b) => (a.toolName < b.toolName ? -1 : 1));
  assertEqual(listed, expected, 'list() must return the choices of the person');
}
