import jsTokens from 'js-tokens';
import { useMemo } from 'react';
import { displayText } from '../../components/text/safe-text.ts';
import { MAX_CODE_LENGTH } from './run-code-setup.ts';

/** Longer code is shown without colors, because tokenizing would block the page. */
const MAX_COLORED_LENGTH = 50_000;

const KEYWORDS = new Set(
  (
    'abstract as async await break case catch class const continue declare default delete do else enum export extends ' +
    'false finally for from function if implements import in infer instanceof interface is keyof let namespace new null ' +
    'of override private protected public readonly return satisfies static super switch this throw true try type typeof ' +
    'undefined unique var void while yield'
  ).split(' '),
);

type Look = 'keyword' | 'string' | 'number' | 'comment' | 'regexp' | 'plain';

/** Shows code in full, before a person consents to it: with colors, and with deceptive characters as escapes. */
export function CodeView({ code, label }: { code: string; label: string }) {
  const tokens = useMemo(() => tokenize(spellOut(displayText(code, MAX_CODE_LENGTH))), [code]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs a tab stop
    // biome-ignore lint/a11y/useSemanticElements: line breaks of code need a pre
    <pre className="hr-code" tabIndex={0} role="region" aria-label={label} dir="ltr">
      <code>
        {tokens.map(({ look, text }, index) =>
          look === 'plain' ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text never change places
            <span key={index} data-look={look}>
              {text}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}

/** Escapes invisible characters. Prose needs joiners and fillers, but in code they make names that look like other names. */
function spellOut(code: string): string {
  return code.replace(/\p{DI}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Splits code into tokens, and merges neighbors of the same look. */
function tokenize(code: string): readonly { readonly look: Look; readonly text: string }[] {
  if (code.length > MAX_COLORED_LENGTH) return [{ look: 'plain', text: code }];
  const merged: { look: Look; text: string }[] = [];
  for (const { type, value } of jsTokens(code)) {
    const look = lookOf(type, value);
    const last = merged.at(-1);
    if (last?.look === look) last.text += value;
    else merged.push({ look, text: value });
  }
  return merged;
}

function lookOf(type: string, value: string): Look {
  switch (type) {
    case 'StringLiteral':
    case 'NoSubstitutionTemplate':
    case 'TemplateHead':
    case 'TemplateMiddle':
    case 'TemplateTail':
      return 'string';
    case 'NumericLiteral':
      return 'number';
    case 'SingleLineComment':
    case 'MultiLineComment':
    case 'HashbangComment':
      return 'comment';
    case 'RegularExpressionLiteral':
      return 'regexp';
    case 'IdentifierName':
      return KEYWORDS.has(value) ? 'keyword' : 'plain';
    default:
      return 'plain';
  }
}
