/** LangChain's `HumanInTheLoopMiddleware`: one interrupt about several calls, each of which gets a decision (LangChain, page Human-in-the-loop). */
import type { TransportQuestion } from '../../core/transport/agent-transport.ts';
import { compact, hasOwn, isRecord, ownString } from '../../shared/json.ts';
import { toOpaqueSchema } from '../../shared/to-opaque-schema.ts';
import { isApprovalYes } from '../../shared/tool-outcome.ts';
import type { Schema } from './schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

interface ReviewedCall {
  /** Names the call on the page. Unique in its review. */
  readonly key: string;
  readonly name: string;
  readonly args: Fields;
  readonly description?: string;
  /** The decisions that the agent takes: `approve`, `edit`, `reject`, `respond`. */
  readonly allowed: readonly string[];
  /** Describes edited arguments. */
  readonly schema: Schema;
}

export interface Review {
  readonly calls: readonly [ReviewedCall, ...ReviewedCall[]];
  /** The JavaScript version of LangChain writes `editedAction`, the Python version `edited_action`. */
  readonly editKey: 'editedAction' | 'edited_action';
}

export function readReview(payload: unknown): Review | undefined {
  if (!isRecord(payload)) return undefined;
  const { action_requests: python, actionRequests: javaScript } = payload;
  const requests = (Array.isArray(python) ? python : Array.isArray(javaScript) ? javaScript : []).filter(
    isRecord,
  );
  const configs = [payload.review_configs ?? payload.reviewConfigs].flat().filter(isRecord);
  const keys = new Set<string>();
  const [first, ...others] = requests.map((request) => readCall(request, configs, keys));
  return first && { calls: [first, ...others], editKey: python ? 'edited_action' : 'editedAction' };
}

function readCall(request: Fields, configs: readonly Fields[], keys: Set<string>): ReviewedCall {
  const name = ownString(request, 'name') ?? 'call';
  const config = configs.find((other) => (other.action_name ?? other.actionName) === name) ?? {};
  const args = [request.args, request.arguments].find(isRecord) ?? {};
  const allowed = [config.allowed_decisions ?? config.allowedDecisions ?? ['approve', 'reject']].flat();
  const schema = [config.args_schema, config.argsSchema].find(isRecord) ?? describeArgs(args);
  let key = name;
  for (let count = 2; keys.has(key); count += 1) key = `${name} ${count}`;
  keys.add(key);
  const description = ownString(request, 'description') ?? ownString(config, 'description');
  return compact({ key, name, args, allowed: allowed.map(String), schema, description });
}

/** Describes arguments of which no schema is known by their values. */
function describeArgs(args: Fields): Schema {
  const types = Object.entries(args).map(([name, value]) => {
    const type = typeof value;
    return [name, ['string', 'number', 'boolean'].includes(type) ? { type } : {}];
  });
  return { type: 'object', properties: Object.fromEntries(types) };
}

/** Returns what a person reads before a decision: the arguments of the only call, or those of all calls by name. */
export function toReviewArgs({ calls }: Review): Fields {
  return calls.length === 1 ? calls[0].args : Object.fromEntries(calls.map(({ key, args }) => [key, args]));
}

export function toReviewQuestion({ calls }: Review): TransportQuestion {
  const [first, ...others] = calls;
  const takes = (decision: string) => calls.some(({ allowed }) => allowed.includes(decision));
  const text = calls.flatMap(({ description = [] }) => description).join('\n\n');
  const description = text !== '' && { description: text, message: text };
  if (others.length === 0 && !takes('approve') && !takes('edit') && takes('respond'))
    return { interactive: true, ui: 'form', ...description, output: toOpaqueSchema(ANSWER_IN_WORDS) };
  if (!takes('respond') && !(others.length > 0 && takes('edit')) && takes('approve')) {
    const editing = takes('edit') && { editable: true, input: toOpaqueSchema(first.schema) };
    return { interactive: true, ui: 'confirm', ...description, ...editing };
  }
  const properties = Object.fromEntries(calls.map((call) => [call.key, describeDecisions(call)]));
  const schema = { type: 'object', properties, required: calls.map(({ key }) => key) };
  return { interactive: true, ui: 'form', ...description, output: toOpaqueSchema(schema) };
}

/** The schema of an answer in the person's own words. */
export const ANSWER_IN_WORDS: Schema = { type: 'string', title: 'Answer' };

/** The decisions, the careful ones first. */
const CAREFUL = ['reject', 'respond', 'edit', 'approve'];

function describeDecisions({ name, allowed, schema, args }: ReviewedCall): Schema {
  const message = { type: 'string', title: 'Message' };
  const fieldsOf: Readonly<Record<string, Schema>> = {
    edit: { args: { ...schema, title: 'Arguments', default: args } },
    reject: { message },
    respond: { message },
  };
  // The form begins with the first one: nobody approves a call by leaving it as it is.
  const careful = [...allowed].sort((one, other) => CAREFUL.indexOf(one) - CAREFUL.indexOf(other));
  const oneOf = careful.map((type) => ({
    type: 'object',
    title: type,
    properties: { type: { const: type }, ...(hasOwn(fieldsOf, type) && fieldsOf[type]) },
    required: ['type', ...(type === 'edit' ? ['args'] : type === 'respond' ? ['message'] : [])],
  }));
  return { title: name, oneOf };
}

/** Returns the decisions that an answer of the kit means, and any other answer as it is. */
export function toDecisions(review: Review, result: unknown): unknown {
  const { calls, editKey } = review;
  const [first] = calls;
  if (isApprovalYes(result)) {
    const { editedArgs } = result;
    const isEdited = calls.length === 1 && editedArgs !== undefined;
    const edited = { type: 'edit', [editKey]: { name: first.name, args: editedArgs } };
    return { decisions: isEdited ? [edited] : calls.map(() => ({ type: 'approve' })) };
  }
  if (typeof result === 'string' && calls.length === 1)
    return { decisions: [{ type: 'respond', message: result }] };
  if (!isRecord(result) || !calls.every(({ key }) => hasOwn(result, key) && isDecision(result[key])))
    return result;
  return {
    decisions: calls.map(({ key, name }) => {
      const { type, message, args } = result[key] as Fields;
      return type === 'edit' ? { type, [editKey]: { name, args } } : compact({ type, message });
    }),
  };
}

function isDecision(value: unknown): boolean {
  return isRecord(value) && typeof value.type === 'string';
}

/** Returns a no to every call. */
export function toRejections({ calls }: Review, message: string | undefined): unknown {
  return { decisions: calls.map(() => compact({ type: 'reject', message })) };
}
