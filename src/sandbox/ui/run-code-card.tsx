'use client';

import { useEffect } from 'react';
import { Button } from '../../components/primitives/button.tsx';
import { StatusIcon } from '../../components/primitives/icons.tsx';
import { useLabels } from '../../components/text/labels-context.tsx';
import { displayText } from '../../components/text/safe-text.ts';
import type { SharedLabels } from '../../components/text/shared-labels.ts';
import type { ToolCallPart } from '../../core/state/message.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
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
  /** The part of the call in a message. */
  readonly part: ToolCallPart;
  /** The tool that `runCodeTool` returned. */
  readonly tool: RunCodeTool;
  readonly className?: string;
}

/**
 * Shows a run in the transcript: live reports and a stop button while the code runs, then the result, also after a reload.
 * While the card is on the page, the dialog that asked closes when the run starts, because the card shows the progress.
 */
export function RunCodeCard({ part, tool, className }: RunCodeCardProps) {
  const setup = readSetup(tool);
  const { options, runs } = setup;
  const labels = { ...englishRunCodeLabels, ...options.labels };
  const { callStatus } = useLabels();
  const { code } = part.args;
  const key = runKey(part.toolCallId, code);
  const savedResult = readResult(part.result);
  const latest = useRun(setup, key);
  // The key names the call id and the code, which a newer call may share: a call with a result has nothing to do with a current run.
  const run = savedResult === undefined ? latest : undefined;
  useEffect(() => runs.watch(key), [runs, key]);

  const result = run?.status === 'ended' ? toAgentResult(run.outcome) : savedResult;
  const isRunning = run?.status === 'running';
  const word = result === undefined ? describeCallWithoutRun(part, labels.waiting, callStatus) : undefined;
  return (
    <section
      className={['hr-surface', 'hr-card', 'hr-run-card', className].filter(Boolean).join(' ')}
      aria-label={tool.title}
      data-state={run?.status ?? part.status}
    >
      <div className="hr-body">
        <p className="hr-run-title">
          <StatusIcon status={iconStatusOf(part, isRunning, result)} />
          <span className="hr-call-name">{tool.title}</span>
          <span className="hr-call-word" role={isRunning ? 'status' : undefined}>
            {isRunning ? labels.running : word}
          </span>
        </p>
        {isRunning ? (
          <>
            <ValueList label={labels.reports} values={run.reports} />
            <Button onClick={() => runs.stop(key, labels.stoppedByPerson)}>{labels.stop}</Button>
          </>
        ) : (
          result !== undefined && <ResultView result={result} labels={labels} />
        )}
        {typeof code === 'string' && (
          <details className="hr-details">
            <summary>{labels.showCode}</summary>
            <CodeView code={code} language={readLanguage(part.args)} labels={labels} />
          </details>
        )}
      </div>
    </section>
  );
}

const readLanguage = ({ language }: ToolCallPart['args']) =>
  language === 'javascript' ? 'javascript' : 'typescript';

/** Returns the status whose icon the card shows. */
function iconStatusOf(
  part: ToolCallPart,
  isRunning: boolean,
  result: RunCodeResult | undefined,
): ToolCallPart['status'] {
  if (isRunning) return 'running';
  if (result !== undefined) return result.status === 'success' ? 'done' : 'error';
  return part.outcome === 'declined' ? 'cancelled' : part.status;
}

/** Describes a call without a run: not answered yet, declined, cancelled, or failed before the run started. */
function describeCallWithoutRun(
  { status, outcome, error }: ToolCallPart,
  waiting: string,
  labels: SharedLabels['callStatus'],
): string {
  if (status === 'pending' || status === 'running') return waiting;
  return status === 'error' && error !== undefined ? displayText(error) : labels[outcome ?? status];
}

/** Returns the result if its shape is valid. After a reload it comes from a storage or a server, which may hold other data. */
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
