'use client';

import { useEffect } from 'react';
import { Button } from '../../components/primitives/button.tsx';
import type { Labels } from '../../components/text/labels.ts';
import { useLabels } from '../../components/text/labels-context.tsx';
import { displayText } from '../../components/text/safe-text.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { ToolCallPart } from '../../state/message.ts';
import { runKey } from '../create-run-book.ts';
import { type RunCodeResult, toAgentResult } from '../to-agent-result.ts';
import { CodeView } from './code-view.tsx';
import { englishRunCodeLabels } from './run-code-labels.ts';
import { readSetup } from './run-code-setup.ts';
import type { RunCodeTool } from './run-code-tool.ts';
import { ResultView, ValueList } from './run-view.tsx';
import { useRun } from './use-run.ts';

/** Props of {@link RunCodeCard}. */
export interface RunCodeCardProps {
  /** The call, as it stands in a message. */
  readonly part: ToolCallPart;
  /** The tool that `runCodeTool` returned. */
  readonly tool: RunCodeTool;
  readonly className?: string;
}

/**
 * A run in the transcript: live reports and a stop button while it runs, then its result, also after a reload. While
 * it is on the page the dialog closes as soon as the code runs.
 */
export function RunCodeCard({ part, tool, className }: RunCodeCardProps) {
  const setup = readSetup(tool);
  const { options, runs } = setup;
  const words = { ...englishRunCodeLabels, ...options.labels };
  const { callStatus } = useLabels();
  const { code } = part.args;
  const key = runKey(part.toolCallId, code);
  const kept = readResult(part.result);
  const latest = useRun(setup, key);
  // Once it has its result, what runs under its key may be another call.
  const run = kept === undefined ? latest : undefined;
  useEffect(() => runs.watch(key), [runs, key]);

  const result = run?.word === 'ended' ? toAgentResult(run.outcome) : kept;
  return (
    <section
      className={['hr-surface', 'hr-card', 'hr-run-card', className].filter(Boolean).join(' ')}
      aria-label={tool.title}
      data-state={run?.word ?? part.status}
    >
      <div className="hr-body">
        {run?.word === 'running' ? (
          <>
            <p className="hr-run-status" role="status">
              {words.running}
            </p>
            <ValueList label={words.reports} values={run.reports} />
            <Button onClick={() => runs.stop(key, words.stoppedByPerson)}>{words.stop}</Button>
          </>
        ) : result !== undefined ? (
          <ResultView result={result} labels={words} />
        ) : (
          <p className="hr-run-status">{describeRest(part, words.waiting, callStatus)}</p>
        )}
        {typeof code === 'string' && (
          <details className="hr-details">
            <summary>{words.showCode}</summary>
            <CodeView code={code} label={words.code} />
          </details>
        )}
      </div>
    </section>
  );
}

/** A call without a run: not answered yet, declined, cancelled, or failed before it began. */
function describeRest(
  { status, outcome, error }: ToolCallPart,
  waiting: string,
  words: Labels['callStatus'],
): string {
  if (status === 'pending' || status === 'running') return waiting;
  return status === 'error' && error !== undefined ? displayText(error) : words[outcome ?? status];
}

/** After a reload a result comes from a storage or a server: of another shape it cannot be shown. */
function readResult(value: unknown): RunCodeResult | undefined {
  if (!isRecord(value)) return undefined;
  const { status, durationMs, error = {}, reports = [], logs = [] } = value;
  const isWhole =
    typeof status === 'string' &&
    hasOwn(englishRunCodeLabels.statuses, status) &&
    typeof durationMs === 'number' &&
    isRecord(error) &&
    Array.isArray(reports) &&
    Array.isArray(logs) &&
    logs.every((log) => typeof log === 'string' || (isRecord(log) && Array.isArray(log.args)));
  return isWhole ? (value as unknown as RunCodeResult) : undefined;
}
