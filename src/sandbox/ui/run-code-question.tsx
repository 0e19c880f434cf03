'use client';

import { useContext, useEffect, useId, useRef } from 'react';
import { QueueSurfaceContext } from '../../components/hooks/surface-context.ts';
import { type SeenDetails, useSeen } from '../../components/hooks/use-seen.ts';
import { AgentWords } from '../../components/primitives/agent-words.tsx';
import { Announcement } from '../../components/primitives/announcement.tsx';
import { AnswerNotice } from '../../components/primitives/answer-notice.tsx';
import { Button } from '../../components/primitives/button.tsx';
import type { QuestionProps } from '../../components/primitives/question.tsx';
import { Question, type QuestionBodyProps } from '../../components/primitives/question.tsx';
import { SurfaceHeader } from '../../components/primitives/surface-header.tsx';
import { UnseenPill } from '../../components/primitives/unseen-pill.tsx';
import type { Severity } from '../../core/tools/client-tool.ts';
import type { CodeExecutionOptions } from '../code-execution.ts';
import { type RunState, runKey } from '../create-run-book.ts';
import { listCapabilities } from '../list-capabilities.ts';
import { toAgentResult } from '../to-agent-result.ts';
import { CapabilityList } from './capability-list.tsx';
import { CodeView } from './code-view.tsx';
import { englishRunCodeLabels, type RunCodeLabels } from './run-code-labels.ts';
import { type RunCodeArgs, type RunCodeSetup, readSetup } from './run-code-setup.ts';
import { ValueList } from './run-view.tsx';
import { useIsWatched, useRun } from './use-run.ts';

/**
 * Asks the person for consent and runs the code. Shows the code and its capabilities first, then live reports and a stop
 * button. If a `RunCodeCard` shows the call, the dialog closes as soon as the code runs.
 */
export function RunCodeQuestion(props: QuestionProps) {
  const { tool } = props;
  const queueSurface = useContext(QueueSurfaceContext);
  const setup = readSetup(tool.definition);
  const { options, runs } = setup;
  const labels = { ...englishRunCodeLabels, ...options.labels };
  const args = tool.args as RunCodeArgs;
  const key = keyOf(tool);
  const run = useRun(setup, key);
  const isWatched = useIsWatched(setup, key);

  // A run that ended under this key before this question belongs to another call.
  useEffect(() => runs.forgetEnded(keyOf(tool)), [runs, tool]);
  // Without the question (the agent was stopped, the page navigated) the chat no longer waits for the result.
  useEffect(() => () => runs.stop(key, 'nobody waits for it any more'), [runs, key]);

  if (run !== undefined && isWatched) return null;
  // Running code may have had effects, so dismissing stops the run and reports them. A cancelled call has no effects.
  const stop = run?.status === 'running' ? () => runs.stop(key, labels.stoppedByPerson) : undefined;
  return (
    <Question
      {...props}
      kind="run-code"
      surface={options.surface ?? queueSurface}
      consumed={['code', 'language', 'explanation']}
      // It is about this code, so it comes before the description of the app.
      words={args.explanation || undefined}
      onDismiss={stop}
    >
      {(ask) => <Body {...ask} tool={tool} args={args} setup={setup} run={run} stop={stop} labels={labels} />}
    </Question>
  );
}

interface BodyProps extends QuestionBodyProps {
  readonly tool: QuestionProps['tool'];
  readonly args: RunCodeArgs;
  readonly setup: RunCodeSetup;
  readonly run: RunState | undefined;
  /** Stops the run. Undefined unless the code is running. */
  readonly stop: (() => void) | undefined;
  readonly labels: RunCodeLabels;
}

function Body({ tool, args, setup, run, stop, prompt, severity, answer, labels }: BodyProps) {
  const { options, runs } = setup;
  const allow = () => {
    const outcome = runs.start(keyOf(tool), args.code, executionOptions(setup, args));
    void outcome.then((ended) => answer.submit(toAgentResult(ended)));
  };
  const isRunning = stop !== undefined;
  const seen = useSeen(run === undefined && answer.state.status !== 'gone');
  return (
    <>
      <SurfaceHeader
        prompt={prompt}
        severity={severity}
        hasWordsBelow
        place="browser"
        origin={tool.origin}
        onDismiss={stop ?? answer.dismiss}
        expiresAt={run === undefined ? tool.expiresAt : undefined}
      />
      <div className="hr-body">
        {answer.state.status === 'gone' && <AnswerNotice state={answer.state} toolCallId={tool.toolCallId} />}
        <div ref={seen.region} className="hr-what">
          {run === undefined && (
            <CapabilityList
              capabilities={listCapabilities(options)}
              descriptions={options.capabilityDescriptions ?? {}}
              timeoutMs={setup.runTimeoutMs}
              labels={labels}
            />
          )}
          <CodeView code={args.code} language={args.language} labels={labels} />
        </div>
        {prompt.isAgentsMessage && prompt.message !== undefined && <AgentWords text={prompt.message} />}
        {run !== undefined && <ValueList label={labels.reports} values={run.reports} />}
        {isRunning && <p className="hr-run-status">{labels.running}</p>}
        <Announcement text={isRunning ? labels.running : ''} />
        {answer.state.status !== 'gone' && <AnswerNotice state={answer.state} />}
      </div>
      <footer className="hr-footer">
        {answer.state.status === 'gone' ? (
          <Button look="primary" onClick={answer.dismiss}>
            {labels.close}
          </Button>
        ) : run === undefined ? (
          <Answers
            severity={severity}
            seen={seen}
            labels={labels}
            onRun={allow}
            onDecline={() => answer.decline()}
          />
        ) : (
          stop !== undefined && <StopButton onStop={stop} label={labels.stop} />
        )}
      </footer>
    </>
  );
}

function Answers({
  severity,
  seen,
  labels,
  onRun,
  onDecline,
}: {
  severity: Severity;
  seen: SeenDetails;
  labels: RunCodeLabels;
  onRun: () => void;
  onDecline: () => void;
}) {
  const pillId = useId();
  const isUnseen = seen.unseen?.count !== 0;
  return (
    <>
      <UnseenPill id={pillId} seen={seen} />
      <div className="hr-actions">
        <Button answers onClick={onDecline} autofocus={severity !== 'neutral'}>
          {labels.decline}
        </Button>
        <Button
          answers
          look="primary"
          data-severity={severity}
          onClick={isUnseen ? seen.showNext : onRun}
          autofocus={severity === 'neutral'}
          aria-disabled={isUnseen}
          aria-describedby={isUnseen ? pillId : undefined}
        >
          {labels.run}
        </Button>
      </div>
    </>
  );
}

/** Takes the focus when it replaces the Run button. */
function StopButton({ onStop, label }: { onStop: () => void; label: string }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Button ref={button} onClick={onStop}>
      {label}
    </Button>
  );
}

function keyOf({ toolCallId, args }: QuestionProps['tool']): string {
  return runKey(toolCallId, (args as RunCodeArgs).code);
}

function executionOptions({ options }: RunCodeSetup, args: RunCodeArgs): CodeExecutionOptions {
  const { globals, imports, modules, memoryLimitBytes } = options;
  return {
    ...(globals !== undefined && { globals }),
    ...(imports !== undefined && { imports }),
    ...(modules !== undefined && { modules }),
    ...(memoryLimitBytes !== undefined && { memoryLimitBytes }),
    ...(args.language !== undefined && { language: args.language }),
  };
}
