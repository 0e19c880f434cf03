import { plural } from './safe-text.ts';

/** The strings of forms: fields, lists and error texts. Part of {@link Labels}. */
export interface FormLabels {
  readonly optional: string;
  readonly selectPlaceholder: string;
  readonly addItem: string;
  /** In place of `addItem` where there is no item yet. */
  readonly addFirstItem: string;
  /** How many items a list takes. */
  readonly itemRange: (min: number, max: number | undefined) => string;
  readonly removeItem: (label: string) => string;
  readonly moveUp: (label: string) => string;
  readonly moveDown: (label: string) => string;
  /** One item of a list, by the label of the list and the number of the item. */
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
  /** Below the control of a secret. `host` is the site of the page. */
  readonly secretNote: (host: string) => string;
  readonly errorSummary: (count: number) => string;
  readonly required: string;
  /** Why an empty file field is refused. */
  readonly fileMissing: string;
  /** Hints of limits, before the person breaks them. */
  readonly numberRange: (min: string, max: string) => string;
  readonly hintFrom: (limit: string) => string;
  readonly hintUpTo: (limit: string) => string;
  readonly hintAbove: (limit: string) => string;
  readonly hintBelow: (limit: string) => string;
  readonly upToCharacters: (max: number) => string;
  readonly tooShort: (min: number) => string;
  readonly tooLong: (max: number) => string;
  readonly scaleMissing: (min: number, max: number) => string;
  readonly tooEarly: (limit: string) => string;
  readonly tooLate: (limit: string) => string;
  /** The limits of numbers, as a person reads them: with their currency or unit. */
  readonly tooSmall: (min: string) => string;
  readonly tooLarge: (max: string) => string;
  readonly above: (limit: string) => string;
  readonly below: (limit: string) => string;
  readonly notNumber: string;
  /** Why `1.234` is refused where nobody can tell whether it is a thousand. */
  readonly ambiguousNumber: string;
  readonly notInteger: string;
  readonly notMultiple: (step: string) => string;
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
  addItem: 'Add another',
  addFirstItem: 'Add one',
  itemRange: (min, max) =>
    max === undefined
      ? `At least ${plural(min, 'thing')}`
      : min === 0
        ? `Up to ${plural(max, 'thing')}`
        : min === max
          ? plural(min, 'thing')
          : `${min} to ${plural(max, 'thing')}`,
  removeItem: (label) => `Remove ${label}`,
  moveUp: (label) => `Move ${label} up`,
  moveDown: (label) => `Move ${label} down`,
  itemLabel: (label, index) => `${singular(label)} ${index}`,
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
  secretNote: (host) => `Goes to ${host} only. Not kept in the chat.`,
  errorSummary: (count) => (count === 1 ? '1 answer needs a look' : `${count} answers need a look`),
  required: 'Fill this in.',
  fileMissing: 'Choose a file.',
  numberRange: (min, max) => `${min} to ${max}`,
  hintFrom: (limit) => `From ${limit}`,
  hintUpTo: (limit) => `Up to ${limit}`,
  hintAbove: (limit) => `More than ${limit}`,
  hintBelow: (limit) => `Less than ${limit}`,
  upToCharacters: (max) => `Up to ${plural(max, 'character')}`,
  tooShort: (min) => `Use at least ${plural(min, 'character')}.`,
  tooLong: (max) => `Use at most ${plural(max, 'character')}.`,
  scaleMissing: (min, max) => `Choose ${min} to ${max}.`,
  tooEarly: (limit) => `${limit} or later.`,
  tooLate: (limit) => `${limit} or earlier.`,
  tooSmall: (min) => `Enter ${min} or more.`,
  tooLarge: (max) => `Enter ${max} or less.`,
  above: (limit) => `Enter more than ${limit}.`,
  below: (limit) => `Enter less than ${limit}.`,
  notNumber: 'Enter a number.',
  ambiguousNumber: 'Enter the number without a mark between thousands.',
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

/** `Line items` are made of a `Line item`. A word such as `Address`, `Status` or `Basis` is one already. */
function singular(label: string): string {
  if (/[^aeiou]ies$/.test(label)) return label.replace(/ies$/, 'y');
  if (/(?:ss|x|zz|ch|sh)es$/.test(label)) return label.slice(0, -2);
  return /[a-z]{2}s$/.test(label) && !/[aisu]s$/.test(label) ? label.slice(0, -1) : label;
}
