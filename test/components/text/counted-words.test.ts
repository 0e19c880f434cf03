import { expect, test } from 'vitest';
import { englishLabels } from '../../../src/components/text/labels.ts';

const { timeLeft, retryAfter, tooManyFiles, tooShort, skippedFields, searchResults, pendingTitle } =
  englishLabels;

test.each([
  ['time left', timeLeft, '1 second left', '2 seconds left'],
  ['a wait', retryAfter, 'The server asks you to wait 1 second.', 'The server asks you to wait 2 seconds.'],
  ['files', tooManyFiles, 'At most 1 file can be attached.', 'At most 2 files can be attached.'],
  ['characters', tooShort, 'Use at least 1 character.', 'Use at least 2 characters.'],
  [
    'fields',
    skippedFields,
    'Left out 1 field that could not be understood.',
    'Left out 2 fields that could not be understood.',
  ],
  ['options', searchResults, '1 option', '2 options'],
  ['questions', pendingTitle, '1 question needs your answer', '2 questions need your answer'],
])('English labels have a singular and a plural for %s', (_, say, one, two) => {
  expect([say(1), say(2)]).toEqual([one, two]);
});

test('timeLeft counts minutes from one minute on', () => {
  expect([timeLeft(60), timeLeft(120)]).toEqual(['1 minute left', '2 minutes left']);
});
