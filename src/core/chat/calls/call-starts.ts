import type { AgentChatError } from '../../../shared/errors.ts';
import { compact } from '../../../shared/json.ts';
import type { Validation } from '../../../shared/validate.ts';
import { type CallApproval, isOpen, type ToolCall } from '../../state/tool-call.ts';
import { decideApproval, needsApproval } from '../../tools/approval.ts';
import type { AutomaticToolDefinition, ClientToolDefinition } from '../../tools/client-tool.ts';
import type { Edit } from '../../tools/edit-arguments.ts';
import { describeTool } from '../../tools/find-tool.ts';
import { outcomes } from '../../tools/outcomes.ts';
import { parseArguments, toInvalidArguments } from '../../tools/parse-arguments.ts';
import { redactArgs } from '../../tools/redact-result.ts';
import { runHandler, type UploadFile } from '../../tools/run-handler.ts';
import type { CallQuestions, CallQuestionsContext } from './call-questions.ts';
import type { LiveCalls } from './live-calls.ts';

export interface CallStartsContext extends CallQuestionsContext {
  /** Uploads a file that a handler adds to its result. */
  readonly upload: UploadFile;
  readonly onError: (error: AgentChatError) => void;
}

export type ParsedArguments = Extract<Validation, { value: unknown }>;

interface Start {
  /** Names who allowed the handler to run, if it had to be allowed. */
  readonly approval?: CallApproval | undefined;
  /** The tool's policy has been passed. Default: if somebody allowed the handler. */
  readonly mayRun?: boolean;
  /** The parsed arguments, if the call was shown with them, or a person corrected them. */
  readonly parsed?: ParsedArguments | undefined;
  /** The arguments as a person corrected them, where one did. */
  readonly editedArgs?: Edit['args'] | undefined;
}

/** Starts calls: the arguments are parsed, the policy is asked, and the handler runs or a person is asked. */
export class CallStarts {
  readonly #context: CallStartsContext;
  readonly #live: LiveCalls;
  readonly #questions: CallQuestions;

  constructor(context: CallStartsContext, live: LiveCalls, questions: CallQuestions) {
    this.#context = context;
    this.#live = live;
    this.#questions = questions;
  }

  start(call: ToolCall, given: Start = {}): void {
    if (!this.#live.isCurrent(call)) return;
    const { approval = call.approval, mayRun = approval !== undefined, editedArgs } = given;
    const tool = this.#live.tools.find(call.request);
    if (call.request.mayAnswer === false) return this.#questions.ask(call, tool);
    if (typeof tool === 'string') {
      const fail = () => void this.#live.settle(call.key, outcomes.failed(tool));
      // A yes that was given to the tool that has gone must not run the one that comes.
      if (call.stage === 'waiting' || !this.#live.tools.isMissing(call)) return fail();
      return this.#live.tools.await(call, () => this.start(call, given), fail);
    }
    const parsed = given.parsed ?? this.#parse(tool, call);
    if (!parsed) return;
    if (!('execute' in tool)) return this.#questions.ask(call, tool, parsed);
    if (!mayRun && needsApproval(tool)) return this.#askForApproval(call, tool, parsed.value);
    this.#run(call, tool, parsed.value, approval, editedArgs);
  }

  /** Runs the handler of a waiting call with the arguments that were shown: what a person reads is what runs. */
  allow(call: ToolCall, approval: CallApproval, edited?: Pick<Start, 'parsed' | 'editedArgs'>): void {
    const { parsed } = this.#context.store.getShown(call.key) ?? {};
    const shown = parsed && 'value' in parsed ? parsed : undefined;
    this.start(call, { approval, parsed: shown, ...edited });
  }

  /** Begins settled calls anew. */
  openAgain(settled: readonly ToolCall[], changes?: Partial<ToolCall>): void {
    const calls = settled.map(
      ({ answer: _, byPerson: __, ...call }): ToolCall => ({ ...call, ...changes, stage: 'announced' }),
    );
    if (calls.length === 0) return;
    this.#context.store.change({ type: 'calls-requested', calls });
    for (const call of calls) this.#goOn(call);
  }

  /** Goes on with the open calls of a conversation that was restored from a storage. */
  restore(): void {
    for (const call of this.#context.store.read().calls.filter(isOpen)) this.#goOn(call);
  }

  /** Goes on with an open call: it waits for a person, has not started, or its handler ran when the page was left. */
  #goOn(call: ToolCall): void {
    if (!this.#live.isCurrent(call)) return;
    const tool = this.#live.tools.find(call.request);
    if (call.stage === 'waiting') {
      if (call.request.mayAnswer === false || this.#parse(tool, call)) this.#questions.watchDeadline(call);
      return;
    }
    if (this.#live.tools.isMissing(call)) {
      const fail = () => void this.#live.settle(call.key, outcomes.failed(String(tool)));
      return this.#live.tools.await(call, () => this.#goOn(call), fail);
    }
    // The call expired while a person was asked whether its handler may run, so the handler never ran.
    const wasAsked = call.approvalReason === 'policy' && call.approval === undefined;
    if (typeof tool === 'string' || 'interactive' in tool || wasAsked) return this.start(call);
    const { onRestore = tool.idempotent ? 'rerun' : 'ask' } = tool;
    // The yes to the call was about another text of the tool.
    const isOther = call.approval && this.#live.tools.isRedefined(call.request, call.approval.definition);
    switch (onRestore === 'rerun' && isOther ? 'ask' : onRestore) {
      case 'rerun':
        return this.start(call, { mayRun: call.approval !== undefined || call.stage === 'running' });
      case 'fail':
        return void this.#live.settle(
          call.key,
          outcomes.failed('The page was left before the tool had finished'),
        );
      case 'ask': {
        const parsed = this.#parse(tool, call);
        return parsed && this.#questions.ask(call, tool, parsed, 'interrupted');
      }
    }
  }

  /** Returns the parsed arguments of a call; undefined if its tool refuses them, which settles the call. */
  #parse(tool: ClientToolDefinition | string, call: ToolCall): ParsedArguments | undefined {
    const parsed = parseArguments(tool, call.request.args);
    if (!('issues' in parsed)) return parsed;
    this.#live.settle(call.key, toInvalidArguments(call, parsed.issues));
    return undefined;
  }

  #askForApproval(call: ToolCall, tool: AutomaticToolDefinition, args: unknown): void {
    const { store, onProgress } = this.#context;
    const abort = new AbortController();
    this.#live.onEnd(call.key, () => abort.abort());
    void decideApproval(call, tool, args, abort.signal, this.#context).then((decision) => {
      // The call was settled meanwhile.
      if (abort.signal.aborted) return;
      if (typeof decision === 'object') {
        this.#live.settle(call.key, decision, 'remembered');
      } else if (decision === 'ask') {
        this.#questions.ask(call, tool, { value: args }, 'policy');
        store.publish();
        onProgress(false);
      } else {
        const definition = describeTool(call.request.toolName, tool);
        this.#run(call, tool, args, decision === 'allowed' ? { by: 'remembered', definition } : undefined);
      }
    });
  }

  #run(
    { key }: ToolCall,
    tool: AutomaticToolDefinition,
    args: unknown,
    approval?: CallApproval,
    editedArgs?: Edit['args'],
  ): void {
    const { store, clock, onError, upload } = this.#context;
    // A person has allowed the call: the time limit of the question is over.
    this.#live.cleanUp(key);
    const shownArgs = redactArgs(editedArgs, tool) as Edit['args'] | undefined;
    const redactedArgs = shownArgs === editedArgs ? undefined : shownArgs;
    store.change({ type: 'call-running', key, approval, editedArgs, redactedArgs });
    runHandler(this.#live.find(key) as ToolCall, tool, args, {
      clock,
      onError,
      upload,
      report: (progress) => store.change({ type: 'call-progress', key, progress }),
      settle: (answer) => this.#live.settle(key, { ...answer, ...compact({ reason: approval?.reason }) }),
      onStart: (end) => this.#live.onEnd(key, end),
    });
  }
}
