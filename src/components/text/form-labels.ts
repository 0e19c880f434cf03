import { plural } from './safe-text.ts';

/** The strings of forms: fields, lists and error texts. Part of {@link Labels}. */
export interface FormLabels {
  readonly optional: string;
  readonly selectPlaceholder: string;
  readonly addItem: (label: string) => string;
  readonly removeItem: (label: string) => string;
  readonly moveUp: (label: string) => string;
  readonly moveDown: (label: string) => string;
  readonly itemLabel: (label: string, index: number) => string;
  readonly entryKey: string;
  readonly entryValue: string;
  readonly kindNames: {
    readonly text: string;
    readonly number: string;
    readonly boolean: string;
    readonly choice: string;
    readonly list: string;
    readonly group: string;
    readonly json: string;
  };
  readonly value: string;
  readonly jsonNote: string;
  readonly noFields: string;
  readonly skippedFields: (count: number) => string;
  readonly showSecret: string;
  readonly hideSecret: string;
  readonly errorSummary: (count: number) => string;
  readonly required: string;
  /** Why an empty file field is refused. */
  readonly fileMissing: string;
  /** Hints of limits, before the person breaks them. */
  readonly numberRange: (min: number, max: number) => string;
  readonly upToCharacters: (max: number) => string;
  readonly tooShort: (min: number) => string;
  readonly tooLong: (max: number) => string;
  readonly tooSmall: (min: number) => string;
  readonly tooLarge: (max: number) => string;
  readonly above: (limit: number) => string;
  readonly below: (limit: number) => string;
  readonly notNumber: string;
  readonly notInteger: string;
  readonly notMultiple: (step: number) => string;
  readonly notEmail: string;
  readonly notUrl: string;
  readonly notDate: string;
  readonly notDateTime: string;
  readonly notTime: string;
  readonly notPattern: string;
  readonly notJson: string;
  readonly tooFewItems: (min: number) => string;
  readonly tooManyItems: (max: number) => string;
  readonly duplicateItem: string;
  readonly duplicateKey: string;
  readonly formInvalid: string;
}

export const englishFormLabels: FormLabels = {
  optional: 'Optional',
  selectPlaceholder: 'Select…',
  addItem: (label) => `Add to ${label}`,
  removeItem: (label) => `Remove ${label}`,
  moveUp: (label) => `Move ${label} up`,
  moveDown: (label) => `Move ${label} down`,
  itemLabel: (label, index) => `${label} ${index}`,
  entryKey: 'Name',
  entryValue: 'Value',
  kindNames: {
    text: 'Text',
    number: 'Number',
    boolean: 'Yes or no',
    choice: 'One of a list',
    list: 'A list',
    group: 'Several fields',
    json: 'Anything (JSON)',
  },
  value: 'Value',
  jsonNote: 'This part has no form of its own. Enter it as JSON.',
  noFields: 'There is nothing to fill in.',
  skippedFields: (count) => `Left out ${plural(count, 'field')} that could not be understood.`,
  showSecret: 'Show',
  hideSecret: 'Hide',
  errorSummary: (count) =>
    count === 1 ? 'One answer needs another look' : `${count} answers need another look`,
  required: 'Fill this in.',
  fileMissing: 'Choose a file.',
  numberRange: (min, max) => `${min} to ${max}`,
  upToCharacters: (max) => `Up to ${plural(max, 'character')}`,
  tooShort: (min) => `Use at least ${plural(min, 'character')}.`,
  tooLong: (max) => `Use at most ${plural(max, 'character')}.`,
  tooSmall: (min) => `Enter ${min} or more.`,
  tooLarge: (max) => `Enter ${max} or less.`,
  above: (limit) => `Enter more than ${limit}.`,
  below: (limit) => `Enter less than ${limit}.`,
  notNumber: 'Enter a number.',
  notInteger: 'Enter a whole number.',
  notMultiple: (step) => `Enter a multiple of ${step}.`,
  notEmail: 'Enter an email address, such as name@example.com.',
  notUrl: 'Enter a full address, such as https://example.com.',
  notDate: 'Enter a date.',
  notDateTime: 'Enter a date and a time.',
  notTime: 'Enter a time.',
  notPattern: 'This is not in the expected format.',
  notJson: 'This is not valid JSON.',
  tooFewItems: (min) => `Add at least ${min}.`,
  tooManyItems: (max) => `Keep at most ${max}.`,
  duplicateItem: 'This is in the list already.',
  duplicateKey: 'This name is used twice.',
  formInvalid: 'This was not accepted:',
};
