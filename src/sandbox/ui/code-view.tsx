import jsTokens from 'js-tokens';
import { memo, useMemo, useState } from 'react';
import { Button } from '../../components/primitives/button.tsx';
import { CopyIcon } from '../../components/primitives/icons.tsx';
import { displayText } from '../../components/text/safe-text.ts';
import type { RunCodeLabels } from './run-code-labels.ts';
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

/** Code with at most this many lines is shown whole. Of longer code a person opens the rest before consenting. */
const MAX_LINES = 60;

/**
 * Shows code before a person consents to it: with its language, the number of its lines and a button that copies it, with colors, and
 * with deceptive characters as escapes. Numbers of lines are not copied. Below its lines stands a button while some of them are hidden.
 */
export function CodeView({
  code,
  language = 'typescript',
  labels,
}: {
  code: string;
  language?: 'typescript' | 'javascript' | undefined;
  labels: RunCodeLabels;
}) {
  const text = useMemo(() => spellOut(displayText(code, MAX_CODE_LENGTH)), [code]);
  const lines = useMemo(() => toLines(tokenize(text)), [text]);
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? lines : lines.slice(0, MAX_LINES);
  const isWhole = shown.length === lines.length;
  return (
    <div className="hr-code-block" data-detail="">
      <div className="hr-code-head">
        <span className="hr-code-language">{labels.languages[language]}</span>
        <span className="hr-faint">
          {isWhole ? labels.lines(lines.length) : labels.linesShown(shown.length, lines.length)}
        </span>
        <CopyButton text={text} labels={labels} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs a tab stop */}
      {/* biome-ignore lint/a11y/useSemanticElements: line breaks of code need a pre */}
      <pre className="hr-code" tabIndex={0} role="region" aria-label={labels.code} dir="ltr">
        <code>
          {shown.map((tokens, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text never change places
            <Line key={index} tokens={tokens} />
          ))}
        </code>
      </pre>
      {!isWhole && (
        <Button look="quiet" className="hr-code-more" data-fold="" onClick={() => setOpen(true)}>
          {labels.showAllLines(lines.length)}
        </Button>
      )}
    </div>
  );
}

/** Memoized, so that opening the rest does not render the first lines again. */
const Line = memo(function Line({ tokens }: { tokens: readonly Token[] }) {
  return (
    <span className="hr-line">
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
    </span>
  );
});

function CopyButton({ text, labels }: { text: string; labels: RunCodeLabels }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    // A page without permission to write to the clipboard keeps its button as it is.
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Button look="link" className="hr-code-copy" onClick={copy}>
      <CopyIcon />
      {isCopied ? labels.copied : labels.copy}
    </Button>
  );
}

interface Token {
  readonly look: Look;
  readonly text: string;
}

/** Splits tokens into lines. Each line keeps its line break, so that the text of all lines is the code. */
function toLines(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  for (const { look, text } of tokens) {
    for (const [index, piece] of text.split(/(?<=\n)/).entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push({ look, text: piece });
    }
    if (text.endsWith('\n')) lines.push([]);
  }
  // An empty rest after the last line break is no line.
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** Escapes invisible characters. Prose needs joiners and fillers, but in code they make names that look like other names. */
function spellOut(code: string): string {
  return code.replace(/\p{DI}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Splits code into tokens, and merges neighbors of the same look. */
function tokenize(code: string): readonly Token[] {
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
