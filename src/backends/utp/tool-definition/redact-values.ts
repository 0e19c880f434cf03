/** Hides the values that a tool gets from the environment in what it returns and throws: cards and logs have the names alone. */
import { hideInValue, type ShownAs } from '../../../shared/hide-in-value.ts';
import { type HiddenText, hideTexts, MIN_HIDDEN_LENGTH, toWrittenForms } from '../../../shared/hide-texts.ts';
import { toJsonValue } from '../../../shared/json.ts';
import { UtpToolError } from '../tool-error.ts';

/** Returns the texts to hide for the value of a variable: each text and number in it, and how it stands in JSON and in an address. */
export function toHiddenTexts(value: unknown, variable: string): readonly HiddenText[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap((item) => toHiddenTexts(item, variable));
  }
  if (!['string', 'number', 'bigint'].includes(typeof value) || value === '') return [];
  return toWrittenForms(String(value)).map((text) => ({ text, replacement: `[${variable}]` }));
}

/** Returns a JSON value without the texts. @throws UtpToolError `result_not_serializable` for any other value */
export function redactResult(result: unknown, hidden: readonly HiddenText[]): unknown {
  try {
    return hideInValue(toJsonValue(result), showWithout(hidden));
  } catch (thrown) {
    const message = redactText((thrown as Error).message, hidden);
    throw new UtpToolError('result_not_serializable', message);
  }
}

/** Returns a copy of what a tool threw, of the same class, without the texts. */
export function redactThrown(thrown: unknown, hidden: readonly HiddenText[]): unknown {
  return hideInValue(thrown, showWithout(hidden));
}

function showWithout(hidden: readonly HiddenText[]): ShownAs {
  return {
    text: (text) => redactText(text, hidden),
    number: (value) => hidden.find(({ text }) => text === String(value))?.replacement ?? value,
  };
}

function redactText(text: string, hidden: readonly HiddenText[]): string {
  // A short text is hidden only where it is a whole value.
  const whole = hidden.find((entry) => entry.text === text);
  if (whole) return whole.replacement;
  return hideTexts(
    text,
    hidden.filter((entry) => entry.text.length >= MIN_HIDDEN_LENGTH),
  );
}
