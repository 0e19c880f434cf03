import type { L0, ToolResultReport } from '../l0.ts';
import type { Database } from './database.ts';
import { REPORT_REFUSALS, type Refusal } from './report-refusals.ts';
import { REPORT_STATEMENT } from './report-statement.ts';

interface ReportRow {
  readonly refusal: keyof typeof REPORT_REFUSALS | null;
  readonly worker_target: string | null;
}

/**
 * Returns L0 over the tables of CommonGround: the roster, the inbox and the execution edges, and the table `cards`. A report is one
 * statement. It writes the inbox row and the response edge, or nothing. The wakeup goes to the `worker_target` that the roster has at
 * that moment.
 *
 * @param database a `Pool` of `pg`, or PGlite
 */
export function createPostgresL0(database: Database): L0 {
  return {
    async report(report) {
      const { rows } = await database.query(REPORT_STATEMENT, toParameters(report));
      const { refusal, worker_target } = rows[0] as ReportRow;
      const wakeup = worker_target === null ? {} : { wakeup: { workerTarget: worker_target } };
      if (refusal === null) return { ack: 'accepted', ...wakeup };
      const [code, explain]: Refusal = REPORT_REFUSALS[refusal];
      const refused = { ack: 'rejected', code, message: explain(report) } as const;
      return refusal === 'duplicate' ? { ...refused, ...wakeup } : refused;
    },
  };
}

function toParameters(report: ToolResultReport): unknown[] {
  return [
    report.projectId,
    report.sourceAgentId,
    report.targetAgentId,
    report.agentTurnId,
    report.turnEpoch,
    report.toolCallId,
    report.recursionDepth,
    report.traceparent,
    report.stepId ?? null,
    report.messageType,
    JSON.stringify(report.payload),
  ];
}
