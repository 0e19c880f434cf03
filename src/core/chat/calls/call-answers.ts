import { compact } from '../../../shared/json.ts';
import { describeIssues, type Validation } from '../../../shared/validate.ts';
import { isAskedHere, type ToolCall, type ToolCallAnswer, visibleResult } from '../../state/tool-call.ts';
import { isOncePerConversation } from '../../tools/approval.ts';
import type { ClientToolDefinition, Settlement } from '../../tools/client-tool.ts';
import { toExpiry, toRefusal, type Yes } from '../../tools/create-interactive-tool.ts';
import { type Edit, parseEdit } from '../../tools/edit-arguments.ts';
import { outcomes } from '../../tools/outcomes.ts';
import type { CallQuestions } from './call-questions.ts';
import type { CallStarts } from './call-starts.ts';
import type { LiveCalls, LiveCallsContext } from './live-calls.ts';

const OTHER_VERSION =
  'The tab that runs this conversation has another version of the app, so this answer did not count. Reload this tab, or answer in the other one';

/** What a person decides about waiting calls, on this page or in another tab. */
export class CallAnswers {
  readonly #context: LiveCallsContext;
  readonly #live: LiveCalls;
  readonly #questions: CallQuestions;
  readonly #starts: CallStarts;

  constructor(context: LiveCallsContext, live: LiveCalls, questions: CallQuestions, starts: CallStarts) {
    this.#context = context;
    this.#live = live;
    this.#questions = questions;
    this.#starts = starts;
  }

  /**
   * Settles a waiting call for a person, or for nobody if its question could not be shown; `tabId` names the tab in which the
   * person answered, if that is another one.
   */
  settle(key: string, answer: ToolCallAnswer, tabId?: string): Settlement {
    const call = this.#live.find(key);
    // A person may have allowed the call in one tab and declined it in another before that tab heard of it.
    const by = answer.outcome === 'failed' ? 'nobody' : 'person';
    return call?.stage === 'waiting' ? this.#live.settle(key, answer, by, tabId) : toRefusal(call);
  }

  /** Runs the handler of a waiting call because a person allowed it; `tabId` as for `settle`. */
  approve(key: string, { definition, reason, edit }: Yes, tabId?: string): Settlement {
    const call = this.#live.find(key);
    if (call?.stage !== 'waiting' || !call.approvalReason) return toRefusal(call);
    // The person has answered in a tab with another version of the app, or of its schema.
    if (this.#live.tools.isRedefined(call.request, definition))
      return this.#questions.askAgain(call, OTHER_VERSION);
    const tool = this.#live.tools.find(call.request);
    const parsed = edit && this.#parseEdit(call, tool, edit);
    if (parsed && 'issues' in parsed) return this.#questions.askAgain(call, describeIssues(parsed.issues));
    const approval = compact({ by: 'person' as const, tabId, definition, reason });
    this.#starts.allow(call, approval, edit && { parsed, editedArgs: edit.args });
    const isGeneral = call.approvalReason === 'policy' && edit === undefined;
    if (isGeneral && isOncePerConversation(tool)) this.#approveOthersOf(definition);
    this.#context.store.publish();
    return { settled: true };
  }

  /** Takes an answer back that was not sent: the call waits again, with what was typed. */
  takeBack(key: string): void {
    const call = this.#live.find(key);
    if (!call?.byPerson || call.stage !== 'settled' || call.sent) return;
    const { answer, savedInput = answer && visibleResult(answer) } = call;
    this.#starts.openAgain([call], { savedInput, requestedAt: this.#context.clock.now() });
    this.#context.store.publish();
  }

  /**
   * Declines, with these words, every waiting call that this person may answer. What was typed into them is kept for the next call of the
   * tool. Returns false if no call waited for this person any more.
   */
  reply(words: string, tabId?: string): boolean {
    const { store, clock } = this.#context;
    let isAnswered = false;
    for (const call of store.read().calls.filter(isAskedHere)) {
      const { key, expiresAt = Infinity } = call;
      if (clock.now() >= expiresAt) {
        this.#live.settle(key, toExpiry(call, expiresAt));
        continue;
      }
      store.change({ type: 'input-kept', key });
      if (this.settle(key, outcomes.declined(words, undefined), tabId).settled) isAnswered = true;
    }
    return isAnswered;
  }

  #parseEdit({ key, request }: ToolCall, tool: ClientToolDefinition | string, edit: Edit): Validation {
    const { args, parsed } = edit;
    const shown = this.#context.store.getShown(key)?.tool.args;
    if (parsed !== undefined) return { value: parsed };
    return parseEdit(typeof tool === 'string' ? {} : tool, request.args, shown, args);
  }

  /** Runs the other waiting calls of a tool of which a person allowed one for the whole conversation. */
  #approveOthersOf(definition: string): void {
    const { store } = this.#context;
    for (const call of store.read().calls) {
      const isCovered = call.stage === 'waiting' && call.approvalReason === 'policy';
      if (isCovered && store.getShown(call.key)?.definition === definition)
        this.#starts.allow(call, { by: 'remembered', definition });
    }
  }
}
