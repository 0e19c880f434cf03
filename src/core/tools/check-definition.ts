import { isStandardSchema } from '../../shared/read-standard-json-schema.ts';
import { SEVERITIES } from '../../shared/severity.ts';
import { type AutomaticToolDefinition, DIALOG_KINDS, type InteractiveToolDefinition } from './client-tool.ts';

type AnyDefinition = Partial<InteractiveToolDefinition & AutomaticToolDefinition>;

/** What an option may be: one of some words, or a value of a kind that the text names. */
interface Allowed {
  readonly words?: readonly unknown[];
  readonly kind?: string;
  readonly isOfKind?: (value: unknown) => boolean;
}

/** A text is true where a flag is meant: `annotationsTrusted: 'false'`. */
const FLAG: Allowed = { words: [true, false] };
const SCHEMA: Allowed = {
  kind: 'a Standard Schema, such as one of zod, valibot or arktype',
  isOfKind: isStandardSchema,
};

/** The options that decide whether, and how, a person is asked. Any other value would guard nothing. */
const OPTIONS: { readonly [Name in keyof AnyDefinition]?: Allowed } = {
  interactive: { words: [true] },
  timeoutMs: {
    kind: 'a number of milliseconds, 0 or more',
    isOfKind: (value) => typeof value === 'number' && value >= 0,
  },
  // A component may be an object: `memo` and `lazy` return one.
  ui: {
    words: DIALOG_KINDS,
    kind: 'a component',
    isOfKind: (value) => typeof value !== 'string' && Boolean(value),
  },
  approval: {
    words: ['never', 'always', 'once-per-conversation'],
    kind: 'a function',
    isOfKind: (value) => typeof value === 'function',
  },
  confirmWord: { kind: 'a word', isOfKind: (value) => typeof value === 'string' && value.trim() !== '' },
  reason: { words: ['required'] },
  severity: { words: SEVERITIES },
  onRestore: { words: ['rerun', 'ask', 'fail'] },
  annotationsTrusted: FLAG,
  approveAll: FLAG,
  editable: FLAG,
  remember: FLAG,
  idempotent: FLAG,
  input: SCHEMA,
  output: SCHEMA,
};

/** Returns true for an object that may be the definition of a tool. Apps without types may declare anything. */
export function isDefinition(tool: unknown): tool is InteractiveToolDefinition | AutomaticToolDefinition {
  const { interactive, execute } = Object(tool) as AnyDefinition;
  return typeof tool === 'object' && (interactive === true || typeof execute === 'function');
}

/** Says why the engine could not use a definition, with the value and what is allowed, or returns undefined. Types refuse these faults. */
export function findDefinitionFault(definition: AnyDefinition): string | undefined {
  if (!isDefinition(definition)) {
    return 'A client tool needs interactive: true, for a tool that waits for a person, or execute, the function that runs it.';
  }
  for (const [name, { words = [], kind, isOfKind }] of Object.entries(OPTIONS)) {
    const value = definition[name as keyof typeof definition] as unknown;
    if (value === undefined || words.includes(value) || isOfKind?.(value)) continue;
    const listed = words.map((word) => (typeof word === 'string' ? `'${word}'` : word)).join(', ');
    const allowed = [listed, kind].filter(Boolean).join(' or ');
    return `${name} of a client tool must be ${allowed}, not ${JSON.stringify(value) ?? String(value)}.`;
  }
  return undefined;
}
