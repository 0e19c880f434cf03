/** Every text of the run-code dialog and card. Apps pass some of them as `labels`; missing ones stay English. */
export interface RunCodeLabels {
  readonly title: string;
  readonly code: string;
  readonly mayUse: string;
  readonly nothing: string;
  readonly isolation: string;
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
  mayUse: 'It may use',
  nothing: 'Nothing outside its own code',
  isolation: 'It has no access to this page, the network or your files.',
  data: 'data',
  module: 'module',
  run: 'Run',
  decline: 'Decline',
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
