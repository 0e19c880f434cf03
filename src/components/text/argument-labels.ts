import { formatBytes } from './format-bytes.ts';
import { plural } from './safe-text.ts';

/** The strings of what will run, or ran: the arguments of a call. Part of {@link Labels}. */
export interface ArgumentLabels {
  /** The language of numbers, amounts and dates, as a BCP 47 tag such as `de`. Default: the language of the browser. */
  readonly locale?: string | undefined;
  readonly arguments: string;
  readonly callArguments: string;
  readonly result: string;
  readonly yes: string;
  readonly no: string;
  /** In place of an empty value. */
  readonly nothing: string;
  /** In place of a secret. */
  readonly hidden: string;
  /** In place of a value that could not be read. */
  readonly unreadable: string;
  /** Opens the values inside a value. */
  readonly moreInside: (count: number) => string;
  /** Opens the next of many values. */
  readonly showMore: (count: number) => string;
  readonly showAll: (characters: number) => string;
  readonly showLess: string;
  readonly change: string;
  readonly undo: string;
  /** The accessible names of the buttons of one argument. */
  readonly changeArgument: (title: string) => string;
  readonly undoArgument: (title: string) => string;
  readonly changedByYou: string;
  /** Read out before the old and before the new value. */
  readonly before: string;
  readonly after: string;
  /** Read out when a value was changed, or the change was undone. */
  readonly changedTo: (title: string, value: string) => string;
  readonly saveChanges: string;
  /** Below the field of a value. */
  readonly wasValue: (value: string) => string;
  readonly valueRange: (from: string, to: string) => string;
  /** Why a call cannot be allowed while a value is changed. */
  readonly applyFirst: string;
  /** Shown when the field for changing a value did not load. */
  readonly editUnavailable: string;
  readonly file: string;
  readonly fileSize: (bytes: number) => string;
}

export const englishArgumentLabels: ArgumentLabels = {
  arguments: 'What the agent wants to do',
  callArguments: 'Arguments',
  result: 'Result',
  yes: 'Yes',
  no: 'No',
  nothing: 'nothing',
  hidden: 'hidden',
  unreadable: 'cannot be shown',
  moreInside: (count) => `${count} more inside`,
  showMore: (count) => `Show ${count} more`,
  showAll: (characters) => `Show all ${plural(characters, 'character')}`,
  showLess: 'Show less',
  change: 'Change',
  undo: 'Undo',
  changeArgument: (title) => `Change ${title}`,
  undoArgument: (title) => `Undo the change of ${title}`,
  changedByYou: 'Changed by you',
  before: 'Before:',
  after: 'Now:',
  changedTo: (title, value) => `${title} is now ${value}.`,
  saveChanges: 'Apply',
  wasValue: (value) => `Was ${value}.`,
  valueRange: (from, to) => `From ${from} to ${to}.`,
  applyFirst: 'Apply or cancel the change first.',
  editUnavailable: 'The field could not be loaded. Decide without changes, or reload the page.',
  file: 'File',
  fileSize: formatBytes,
};
