/** The two routes of the kit, below each thread. */
import { MAX_BODY_BYTES } from '../../../../server/http/read-body.ts';
import { refuse } from '../../../../server/http/refuse.ts';
import { compact, isRecord } from '../../../../shared/json.ts';
import { isToolOutcome } from '../../../../shared/tool-outcome.ts';
import { describeIssues, validate } from '../../../../shared/validate.ts';
import type { ThreadEndpoints } from '../define-thread-endpoint.ts';
import type { ToolArgs } from '../define-tool.ts';
import { toParentCallId } from '../parent-frames.ts';
import { readJsonBody } from '../read-json-body.ts';
import type { KitState } from './client-call-store.ts';
import type { ClientCall, ClientCalls } from './client-calls.ts';
import type { ClientAnswer } from './to-tool-result.ts';

/** Creates the endpoints. `argsOf` returns the schema of a tool's arguments, against which edited arguments are checked. */
export function createClientCallEndpoints(
  calls: ClientCalls,
  argsOf: (toolName: string) => ToolArgs | undefined,
): ThreadEndpoints<KitState> {
  return {
    'client-tools.ts': async (_, state) => {
      const pending = await listPending(calls, state);
      const listed = pending.map(({ id, name, args, requestedAt, deadline }) =>
        compact({ id, name, args, requestedAt, deadline }),
      );
      return Response.json({ calls: listed });
    },
    'client-tools/[id].post.ts': async (request, state, { id = '' }) => {
      const body = await readJsonBody(request, MAX_BODY_BYTES);
      if (body instanceof Response) return body;
      const owner = await findOwner(state, id);
      const call = await calls.find(owner.state, owner.id);
      // A 404 without a code means that this server has no kit.
      if (call === undefined) return refuse(404, `This thread has no call ${id}.`, 'unknown_call');
      const answer = readAnswer(body, argsOf(call.name));
      if (typeof answer === 'string') return refuse(400, answer, 'invalid_request');
      const settled = await calls.answer(owner.state, owner.id, answer);
      const outcome = settled?.call.answer?.outcome;
      if (settled?.isFirst) return Response.json({ status: 'accepted', outcome });
      const error = 'The call was answered before. The first answer counts.';
      return Response.json({ error, code: 'already_answered', outcome }, { status: 409 });
    },
  };
}

/** Lists the calls of a thread and of its subagents. */
async function listPending(calls: ClientCalls, state: KitState): Promise<readonly ClientCall[]> {
  const lists = (state.children ?? []).map(async ({ reference }) => {
    const child = await state.getChildThread?.(reference);
    const pending = child ? await listPending(calls, child) : [];
    return pending.map((call) => ({ ...call, id: toParentCallId(reference, call.id) }));
  });
  const own = (await calls.pending(state)).map((call) => {
    // The tool runs with the secrets in its arguments, and the page shows them without.
    const args = (state.redact?.(call.args) ?? call.args) as ClientCall['args'];
    return { ...call, args };
  });
  return [...own, ...(await Promise.all(lists)).flat()];
}

/** Returns the thread of a call, and the id that the call has there. */
async function findOwner(
  state: KitState,
  id: string,
): Promise<{ readonly state: KitState; readonly id: string }> {
  for (const { reference } of state.children ?? []) {
    const start = toParentCallId(reference, '');
    const child = id.startsWith(start) ? await state.getChildThread?.(reference) : undefined;
    if (child) return findOwner(child, id.slice(start.length));
  }
  return { state, id };
}

/** Returns the answer, or the fault of the body. */
function readAnswer(
  body: Readonly<Record<string, unknown>>,
  args: ToolArgs | undefined,
): ClientAnswer | string {
  const { outcome, result, reason, editedArgs } = body;
  if (!isToolOutcome(outcome) || outcome === 'expired') {
    return `outcome must be submitted, declined, cancelled, timed-out, aborted, superseded or failed, got ${JSON.stringify(outcome)}.`;
  }
  if (reason !== undefined && typeof reason !== 'string') return 'reason must be a string.';
  if (editedArgs !== undefined) {
    if (!isRecord(editedArgs)) return 'editedArgs must be an object.';
    const checked = validate(args, editedArgs);
    if ('issues' in checked) return `editedArgs are invalid: ${describeIssues(checked.issues)}`;
  }
  return compact({ outcome, result, reason, editedArgs }) as ClientAnswer;
}
