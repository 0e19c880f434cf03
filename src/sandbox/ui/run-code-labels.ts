import { plural } from '../../components/text/safe-text.ts';

/** Every text of the run-code dialog and card. Apps pass some of them as `labels`; missing ones stay English. */
export interface RunCodeLabels {
  readonly title: string;
  readonly code: string;
  readonly languages: Readonly<Record<'typescript' | 'javascript', string>>;
  readonly lines: (count: number) => string;
  /** The same where some of the lines are not shown yet. */
  readonly linesShown: (shown: number, count: number) => string;
  readonly showAllLines: (count: number) => string;
  readonly copy: string;
  readonly copied: string;
  /** Names the table of what the program may do. */
  readonly limits: string;
  readonly mayUse: string;
  readonly nothing: string;
  readonly cannot: string;
  readonly isolation: string;
  readonly stopsAfter: string;
  readonly limit: (milliseconds: number) => string;
  readonly data: string;
  readonly module: string;
  readonly run: string;
  readonly decline: string;
  readonly stop: string;
  readonly close: string;
  readonly running: string;
  readonly waiting: string;
  readonly reports: string;
  readonly logs: string;
  readonly result: string;
  readonly showCode: string;
  readonly statuses: Readonly<Record<'success' | 'error' | 'memory' | 'terminated' | 'link_error', string>>;
  readonly place: (filename: string, line: number, column: number | undefined) => string;
  readonly took: (milliseconds: number) => string;
  readonly stoppedByPerson: string;
}

export const englishRunCodeLabels: RunCodeLabels = {
  title: 'Run code',
  code: 'Code',
  languages: { typescript: 'TypeScript', javascript: 'JavaScript' },
  lines: (count) => `${plural(count, 'line')}, all shown`,
  linesShown: (shown, count) => `${shown} of ${count} lines shown`,
  showAllLines: (count) => `Show all ${count} lines`,
  copy: 'Copy',
  copied: 'Copied',
  limits: 'What the code may do',
  mayUse: 'May call',
  nothing: 'Nothing outside its own code',
  cannot: 'Cannot',
  isolation: 'Reach the network, this page or your files',
  stopsAfter: 'Stops after',
  limit: (milliseconds) => plural(Math.round(milliseconds / 100) / 10, 'second'),
  data: 'data',
  module: 'module',
  run: 'Run code',
  decline: 'Don’t run',
  stop: 'Stop',
  close: 'Close',
  running: 'Running…',
  waiting: 'Waiting for you',
  reports: 'Progress',
  logs: 'Console',
  result: 'Result',
  showCode: 'Show the code',
  statuses: {
    success: 'Finished',
    error: 'Failed',
    memory: 'Out of memory',
    terminated: 'Stopped',
    link_error: 'Could not start',
  },
  place: (filename, line, column) =>
    `${filename}, line ${line}${column === undefined ? '' : `, column ${column}`}`,
  took: (milliseconds) =>
    milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`,
  stoppedByPerson: 'stopped by the user',
};
