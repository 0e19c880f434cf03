import { describe, expect, test } from 'vitest';
import { englishLabels } from '../../src/components.ts';
import { englishAttentionLabels } from '../../src/core/policies/attention/watch-attention.ts';
import { AgentChatError } from '../../src/core.ts';
import { ar } from '../../src/locales-ar.ts';
import { de } from '../../src/locales-de.ts';
import { es } from '../../src/locales-es.ts';
import { fr } from '../../src/locales-fr.ts';
import { ja } from '../../src/locales-ja.ts';
import { englishRunCodeLabels } from '../../src/sandbox.ts';

const LOCALES = { de, fr, es, ja, ar };
const english = { ...englishLabels, ...englishAttentionLabels, runCode: englishRunCodeLabels, locale: 'en' };

const COUNTS = [0, 1, 2, 5, 11, 100];

/** Labels that read the same in a language and in English, for a reason. */
const SAME: Readonly<Record<keyof typeof LOCALES | 'all', readonly string[]>> = {
  all: [
    'runCode.languages.typescript',
    'runCode.languages.javascript',
    'itemLabel',
    'countdown',
    'runCode.took',
  ],
  de: ['roles.assistant', 'entryKey', 'kindNames.text', 'runCode.code'],
  fr: [
    'conversation',
    'inboxConversation',
    'message',
    'providerSources',
    'searchResults',
    'runCode.code',
    'runCode.module',
    'yesWithValue',
  ],
  es: ['no', 'yesWithValue'],
  ja: [],
  ar: [],
};

const error = (backendCode?: string) =>
  new AgentChatError({ code: 'backend_error', message: '·', retryable: true, backendCode });

/** Some labels take something else than numbers and names. */
const ARGUMENTS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  replying: [[[]], [['·']], [['·', '·']]],
  rememberSame: [[[]], [['·']], [['·', '·', '·']]],
  rememberedSince: [
    ['conversation', '·', []],
    ['browser', '·', ['·', '·']],
  ],
  yesWithValue: [['·', '·']],
  asker: [['·', '']],
  waitsFor: [[undefined], ['·']],
  waitsForOthers: [
    ['·', undefined],
    ['·', '·'],
  ],
  callProgress: [
    [1, undefined],
    [1, 2],
  ],
  chooseSeveral: [
    [0, undefined],
    [2, undefined],
    [2, 2],
    [1, 2],
    [0, 2],
  ],
  'runCode.place': [
    ['·', 1, undefined],
    ['·', 1, 2],
  ],
};

/** Every label by its path: `outcomes.chose`. */
function flatten(labels: object, before = ''): [string, unknown][] {
  return Object.entries(labels).flatMap(([name, label]): [string, unknown][] =>
    typeof label === 'object' ? flatten(label, `${before}${name}.`) : [[before + name, label]],
  );
}

function argumentsOf(path: string): readonly (readonly unknown[])[] {
  if (path.startsWith('errors.')) return [[error()]];
  return ARGUMENTS[path] ?? COUNTS.map((count) => [count, count, count]);
}

/** Every text that a label can be, for the arguments above. */
function textsOf(path: string, label: unknown): readonly unknown[] {
  return typeof label === 'function' ? argumentsOf(path).map((args) => label(...args)) : [label];
}

const englishTexts = new Map(flatten(english).map(([path, label]) => [path, textsOf(path, label)]));

/** The words of the English labels that are long enough to be told from a name. */
const LEFT_OVER = /\b(?:the|agent asks|your|answer|waiting|file|with|please|this|not)\b/i;

describe.each(Object.entries(LOCALES))('%s', (language, labels) => {
  const found = new Map(flatten(labels));
  const same = [...SAME.all, ...SAME[language as keyof typeof LOCALES]];

  test('has every label, and none that the kit does not have', () => {
    expect([...found.keys()].sort()).toEqual([...englishTexts.keys()].sort());
    expect(labels.locale).toBe(language);
  });

  test('says everything in the language', () => {
    const left = [...found].filter(([path, label]) => {
      if (same.includes(path) || path === 'errors.backend_error') return false;
      const english = englishTexts.get(path) ?? [];
      const texts = textsOf(path, label);
      return texts.some((text, index) => /\p{L}{2,}/u.test(`${text}`) && text === english[index]);
    });
    expect(left.map(([path]) => path)).toEqual([]);
  });

  test('has no English words inside its texts', () => {
    const texts = [...found].flatMap(([path, label]) => textsOf(path, label));
    expect(texts.filter((text) => LEFT_OVER.test(`${text}`))).toEqual([]);
    expect(texts.length).toBeGreaterThan(600);
  });

  test('has a text for every number and name', () => {
    const broken = [...found].flatMap(([path, label]) =>
      textsOf(path, label)
        .filter((text) => typeof text !== 'string' || !text.trim() || /undefined|NaN|\{n\}/.test(text))
        .map((text) => `${path}: ${text}`),
    );
    expect(broken).toEqual([]);
  });

  test('lists only labels as equal that are', () => {
    const different = SAME[language as keyof typeof LOCALES].filter(
      (path) => !textsOf(path, found.get(path)).some((text, at) => text === englishTexts.get(path)?.[at]),
    );
    expect(different).toEqual([]);
  });

  test('has a place for both pick lists of what is remembered', () => {
    expect(labels.rememberSentence).toMatch(/\{calls\}/);
    expect(labels.rememberSentence).toMatch(/\{place\}/);
  });

  test('names every failure of the server, and shows the message of any other backend', () => {
    const codes = ['server_restarted', 'run_interrupted', 'cursor_expired', 'tool_rounds_exceeded'];
    const others = ['resumed_elsewhere', 'session_conflict', 'store_failed', 'agent_failed'];
    const texts = [...codes, ...others].map((code) => labels.errors.backend_error(error(code)));
    expect(texts).not.toContain('·');
    expect(texts.filter((text) => LEFT_OVER.test(text))).toEqual([]);
    expect(labels.errors.backend_error(error('their_own'))).toBe('·');
  });
});

test('keeps the direction of every name, amount and address in an Arabic text apart', () => {
  const named: Readonly<Record<string, readonly unknown[]>> = {
    replying: [['Ada']],
    rememberSame: [['Ada']],
    rememberedSince: ['conversation', 'Ada', ['Ada', 'Ada']],
  };
  // The asker is Arabic already. The reasons and the messages of servers are the end of a text, or all of it.
  const whole = ['asksYou', 'notSent'];
  const texts = flatten(ar).flatMap(([path, label]) =>
    typeof label !== 'function' || whole.includes(path) || path.startsWith('errors.')
      ? []
      : [[path, `${label(...(named[path] ?? ['Ada', 'Ada', 'Ada']))}`] as const],
  );
  const withNames = texts.filter(([, text]) => text.includes('Ada'));
  expect(withNames.length).toBeGreaterThan(60);
  expect(withNames.filter(([, text]) => /(?<!\u2068)Ada|Ada(?!\u2069)/.test(text))).toEqual([]);
});

test('puts no marks around a name that is not there', () => {
  expect(ar.asker('', '')).toBe('');
  expect(ar.asker('Ada', '')).toBe('\u2068Ada\u2069');
  expect(ar.asksYou(ar.asker('Ada', 'shop.example'))).toMatch(
    /^\u2068Ada\u2069 على \u2068shop\.example\u2069 /,
  );
});
