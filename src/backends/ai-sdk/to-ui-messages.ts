import type { ToolCallPart, UIMessage, UIMessagePart } from '../../core/state/message.ts';
import { compact } from '../../shared/json.ts';
import type { AiSdkMessage, AiSdkPart } from './ui-message.ts';

/**
 * Returns the messages of a chat as messages of the AI SDK (`UIMessage[]` of the `ai` package): to store them on a server, or to go on with
 * another client. `fromUIMessages` has the way back. A call without an end is one that waits.
 */
export function toUIMessages(messages: readonly UIMessage[]): readonly AiSdkMessage[] {
  return messages.map(({ id, role, parts, metadata }) => {
    const own = parts.flatMap(toPart).map((part) => (role === 'user' ? withoutState(part) : part));
    return compact({
      id,
      role,
      parts: role === 'assistant' ? withSteps(own) : own,
      metadata,
    }) as AiSdkMessage;
  });
}

/** Texts of a person have no state: nobody streams them. */
function withoutState({ state: _, ...part }: AiSdkPart): AiSdkPart {
  return part as AiSdkPart;
}

/** The model gets the results of a step before the texts of the next one. */
function withSteps(parts: readonly AiSdkPart[]): readonly AiSdkPart[] {
  return parts.flatMap((part, index) => {
    const before = parts[index - 1];
    const isNext = before === undefined || (isCall(before) && !isCall(part));
    return isNext ? [{ type: 'step-start' }, part] : [part];
  });
}

function isCall(part: AiSdkPart): boolean {
  return part.toolCallId !== undefined;
}

function toPart(part: UIMessagePart): readonly AiSdkPart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const { status: _, thread: __, ...rest } = part;
      return part.text === '' && !('providerMetadata' in part) ? [] : [{ ...rest, state: 'done' }];
    }
    case 'tool-call':
      return [toToolPart(part)];
    case 'source': {
      const { id: sourceId, sourceType, thread: _, ...rest } = part;
      return [{ ...rest, type: `source-${sourceType}`, sourceId }];
    }
    case 'file': {
      const { id: _, size: __, thread: ___, toolCallId: ____, ...rest } = part;
      return [rest];
    }
    case 'object': {
      const { id, typeName, object, partial } = part;
      const data = object ?? partial;
      return data === undefined ? [] : [{ type: `data-${typeName}`, id, data }];
    }
    default:
      // An operation, a list of tasks: the AI SDK has no part for them.
      return [];
  }
}

/** Keys that `fromUIMessages` left on the part go back with it. */
function toToolPart(part: ToolCallPart): AiSdkPart {
  const {
    toolName,
    displayName,
    args,
    result,
    error,
    status: _,
    outcome,
    reason,
    executedBy,
    type: __,
    ...more
  } = part;
  const { answeredBy: ___, waitsFor: ____, display: _____, thread: ______, ...rest } = more;
  const { dynamic, approval, ...extra } = rest as typeof rest & {
    readonly dynamic?: boolean;
    readonly approval?: Readonly<Record<string, unknown>>;
  };
  const call = {
    ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
    ...extra,
    title: displayName,
    input: args,
    providerExecuted: executedBy === 'provider' ? true : undefined,
  };
  return compact({ ...call, ...toState({ result, error, outcome, reason, approval }) }) as AiSdkPart;
}

interface CallEnd {
  readonly result?: unknown;
  readonly error?: string | undefined;
  readonly outcome?: ToolCallPart['outcome'] | undefined;
  readonly reason?: string | undefined;
  readonly approval?: Readonly<Record<string, unknown>> | undefined;
}

function toState({ result, error, outcome, reason, approval }: CallEnd): object {
  if (error !== undefined) return { state: 'output-error', errorText: error, approval };
  if (result !== undefined) return { state: 'output-available', output: result, approval };
  switch (outcome) {
    case undefined:
      if (approval === undefined) return { state: 'input-available' };
      return { state: 'approved' in approval ? 'approval-responded' : 'approval-requested', approval };
    case 'declined':
      if (approval)
        return { state: 'output-denied', approval: { ...approval, approved: false, ...compact({ reason }) } };
      return { state: 'output-available', output: compact({ outcome, reason }) };
    case 'submitted':
      return approval
        ? { state: 'approval-responded', approval: { ...approval, approved: true } }
        : { state: 'output-available', output: null };
    default:
      return { state: 'output-error', errorText: `The call has no result: it was ${outcome}.` };
  }
}
