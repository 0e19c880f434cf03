import { plural } from './safe-text.ts';

/** The strings of lists of options to pick from. Part of {@link Labels}. */
export interface ChoiceLabels {
  readonly chooseOne: string;
  readonly chooseSeveral: (min: number, max: number | undefined) => string;
  readonly choiceMissing: string;
  readonly choiceTooFew: (min: number) => string;
  readonly choiceTooMany: (max: number) => string;
  readonly search: string;
  readonly searchResults: (count: number) => string;
  readonly searchEmpty: string;
  readonly noOptions: string;
}

export const englishChoiceLabels: ChoiceLabels = {
  chooseOne: 'Choose one',
  chooseSeveral: (min, max) => {
    if (max === undefined) return min > 1 ? `Choose at least ${min}` : 'Choose any that apply';
    if (min === max) return `Choose ${min}`;
    return min > 0 ? `Choose ${min} to ${max}` : `Choose up to ${max}`;
  },
  choiceMissing: 'Choose one of the options.',
  choiceTooFew: (min) => `Choose at least ${min}.`,
  choiceTooMany: (max) => `Choose at most ${max}.`,
  search: 'Search options',
  searchResults: (count) => plural(count, 'option'),
  searchEmpty: 'No option matches.',
  noOptions: 'The agent sent no options to choose from.',
};
