import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Issue } from '../../tools/client-tool.ts';
import type { Draft } from './draft.ts';
import type { FormField } from './form-field.ts';
import { locateIssue } from './locate-issue.ts';
import type { ControlIssue } from './read-draft.ts';

/**
 * What a form has against a draft, in the words of the schema's author where there are any for the place.
 *
 * The flags of a pattern do not come with it, so what it seems to refuse counts only where the schema refuses it too. What
 * has no value was never put to the schema.
 *
 * @param entered What was entered, as far as it can be read.
 * @param readMissing Reads the same again, with empty texts left out.
 */
export async function inAuthorsWords(
  issues: readonly ControlIssue[],
  schema: StandardSchemaV1,
  field: FormField,
  draft: Draft | undefined,
  entered: unknown,
  readMissing: () => unknown,
): Promise<readonly ControlIssue[]> {
  const asked: ControlIssue[] = [];
  const ask = async (value: unknown) => {
    // It is asked about values it would not get: where it throws over one, its author has no words for it.
    const refused = await askAuthor(schema, value).catch(() => []);
    asked.push(...refused.flatMap((issue) => locateIssue(field, draft, issue) ?? []));
  };
  const wordsFor = (place: string) =>
    asked.find(({ name, message }) => name === place && message !== '')?.message;
  await ask(entered);
  // `z.string().min(1, 'Pick a size')` speaks of an empty text, `z.string('Pick a size')` of a missing one.
  if (issues.some(({ name, basis }) => basis === 'empty' && wordsFor(name) === undefined))
    await ask(readMissing());
  return issues.flatMap((issue) => {
    if (issue.basis === 'unread') return issue;
    if (issue.basis === 'pattern' && !asked.some(({ name }) => name === issue.name)) return [];
    return { ...issue, message: wordsFor(issue.name) ?? issue.message };
  });
}

/**
 * What a schema has against a value, in its author's words; the message is empty where the author wrote none. What a
 * library says by itself ("Too small: expected string to have >=1 characters") is no better than what the form says, and
 * not in the language of the page.
 *
 * A message does not tell who wrote it, and lists of a library's own texts age with its versions and languages. But:
 * - in Zod a message of the schema comes before one of the call (zod.dev/error-customization, "Error precedence"), so a
 *   call that says nothing about everything leaves what the author wrote. Words an app gave all of its schemas
 *   (`z.config`) count as Zod's.
 * - Valibot quotes what it received, ArkType the problem, and their issues carry the quote; what an author writes has none.
 * - Of any other library nobody knows, and the form keeps its words.
 */
async function askAuthor(schema: StandardSchemaV1, value: unknown): Promise<readonly Issue[]> {
  if (isZod(schema)) {
    const { error } = await schema.safeParseAsync(value, { error: () => '' });
    return error?.issues ?? [];
  }
  const { issues = [] } = await schema['~standard'].validate(value);
  return issues.map((issue) => (isAuthored(issue) ? issue : { ...issue, message: '' }));
}

interface Zod {
  safeParseAsync(
    value: unknown,
    options: { error: () => string },
  ): Promise<{ error?: { issues: readonly Issue[] } }>;
}

/** Zod 4; earlier ones have no `_zod`, and other names for this. */
function isZod(schema: StandardSchemaV1): schema is StandardSchemaV1 & Zod {
  return '_zod' in schema && 'safeParseAsync' in schema;
}

function isAuthored(issue: Issue & { received?: unknown; problem?: unknown }): boolean {
  const quote = issue.received ?? issue.problem;
  return typeof quote === 'string' && !issue.message.includes(quote);
}
