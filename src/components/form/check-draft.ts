/** Whether a draft can be handed over, and what is wrong with it. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describeThrown } from '../../shared/errors.ts';
import type { Issue } from '../../tools/client-tool.ts';
import type { Labels } from '../text/labels.ts';
import { type Draft, ROOT_NAME } from './draft.ts';
import type { ReadValue } from './form-context.ts';
import type { inAuthorsWords } from './in-authors-words.ts';
import { locateIssue } from './locate-issue.ts';
import { ABSENT, type ControlIssue, type ReadContext, readDraft } from './read-draft.ts';
import type { FormModel } from './read-schema.ts';

/** What a failed submit has to tell: issues of controls, and those that belong to none. */
export interface Failure {
  readonly located: readonly ControlIssue[];
  readonly general: readonly Issue[];
}

export const nothingWrong: Failure = { located: [], general: [] };

/**
 * Checks a whole draft: first what each control can tell by itself, then the schema. One that throws has not taken the
 * value; `thrown` is for whoever wrote it.
 */
export async function checkDraft(
  model: FormModel,
  draft: Draft | undefined,
  labels: Labels,
): Promise<Failure & { value?: ReadValue; thrown?: unknown }> {
  const issues: ControlIssue[] = [];
  const entered = read(model, draft, { labels, issues });
  const { validate } = model;
  const readMissing = () => read(model, draft, { labels, issues: [], missing: true });
  const told =
    issues.length > 0 && validate !== undefined
      ? await retell(issues, validate, model.field, draft, entered, readMissing)
      : issues;
  const isCertain = told.some(({ basis }) => validate === undefined || basis !== 'pattern');
  if (isCertain) return { located: told, general: [] };
  if (validate === undefined) return { ...nothingWrong, value: held(entered, entered) };
  let result: StandardSchemaV1.Result<unknown>;
  try {
    result = await validate['~standard'].validate(entered);
  } catch (thrown) {
    return { located: [], general: notSent(thrown, labels), thrown };
  }
  if (result.issues === undefined) return { ...nothingWrong, value: held(result.value, entered) };
  const refused = sortIssues(model, draft, result.issues);
  const located = refused.located.map((issue) => told.find(({ name }) => name === issue.name) ?? issue);
  return { ...refused, located };
}

function read({ field }: FormModel, draft: Draft | undefined, context: ReadContext): unknown {
  const value = readDraft(field, draft, ROOT_NAME, context);
  return value === ABSENT ? undefined : value;
}

/** Loaded once something is wrong. Where that fails the form keeps its words, and patterns are left to the schema. */
const retell: typeof inAuthorsWords = async (issues, ...rest) => {
  try {
    const loaded = await import('./in-authors-words.ts');
    return await loaded.inAuthorsWords(issues, ...rest);
  } catch {
    return issues.filter(({ basis }) => basis !== 'pattern');
  }
};

function held(parsed: unknown, entered: unknown): ReadValue {
  return { parsed: () => parsed, entered: () => entered };
}

/** What a person hears of a schema or a handler that throws. */
export function notSent(thrown: unknown, labels: Labels): readonly Issue[] {
  return [{ message: labels.notSent(describeThrown(thrown, labels.unknownError)) }];
}

export function sortIssues(model: FormModel, draft: Draft | undefined, issues: readonly Issue[]): Failure {
  const placed = issues.map((issue) => ({ issue, control: locateIssue(model.field, draft, issue) }));
  const located = placed.flatMap(({ control }) => control ?? []);
  return {
    // A control has one message, the first.
    located: located.filter((issue) => issue === located.find(({ name }) => name === issue.name)),
    general: placed.flatMap(({ issue, control }) => (control === undefined ? [issue] : [])),
  };
}
