import { isStandardSchema } from '../../shared/read-standard-json-schema.ts';
import { SEVERITIES } from '../../shared/severity.ts';
import { type AutomaticToolDefinition, DIALOG_KINDS, type InteractiveToolDefinition } from './client-tool.ts';

/** The words of options that decide whether, and how, a person is asked. Any other word would guard nothing. */
const WORDS = {
  severity: SEVERITIES,
  onRestore: ['rerun', 'ask', 'fail'],
} as const;
/** A text is true where a flag is meant: `annotationsTrusted: 'false'`. */
const FLAGS = ['annotationsTrusted', 'approveAll', 'editable', 'remember', 'idempotent'] as const;
const APPROVALS: readonly unknown[] = ['never', 'always', 'once-per-conversation'];

type AnyDefinition = Partial<InteractiveToolDefinition & AutomaticToolDefinition>;

/** Returns true for an object that may be the definition of a tool. Apps without types may declare anything. */
export function isDefinition(tool: unknown): tool is InteractiveToolDefinition | AutomaticToolDefinition {
  const { interactive, execute } = Object(tool) as AnyDefinition;
  return typeof tool === 'object' && (interactive === true || typeof execute === 'function');
}

/** Says why the engine could not use a definition, with the value and what is allowed, or returns undefined. Types refuse these faults. */
export function findDefinitionFault(definition: AnyDefinition): string | undefined {
  const { interactive, execute, timeoutMs = 0, ui = 'confirm', approval = 'never', confirmWord } = definition;
  if (interactive !== true && typeof execute !== 'function') {
    return 'A client tool needs interactive: true, for a tool that waits for a person, or execute, the function that runs it.';
  }
  if (interactive !== undefined && interactive !== true)
    return mustBe('interactive', interactive, 'true, or left out');
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) {
    return `timeoutMs of a client tool must be a number of milliseconds, 0 or more, not ${String(timeoutMs)}.`;
  }
  // A component may be an object: `memo` and `lazy` return one.
  if (typeof ui === 'string' ? !(DIALOG_KINDS as readonly string[]).includes(ui) : !ui)
    return mustBe('ui', ui, `${listWords(DIALOG_KINDS)} or a component`);
  if (typeof approval !== 'function' && !APPROVALS.includes(approval))
    return mustBe('approval', approval, `${listWords(APPROVALS)} or a function`);
  if (confirmWord !== undefined && (typeof confirmWord !== 'string' || confirmWord.trim() === ''))
    return mustBe('confirmWord', confirmWord, 'a word');
  return findWordFault(definition) ?? findSchemaFault(definition);
}

function findWordFault(definition: AnyDefinition): string | undefined {
  for (const name of ['severity', 'onRestore'] as const) {
    const word = definition[name];
    const words: readonly unknown[] = WORDS[name];
    if (word !== undefined && !words.includes(word)) return mustBe(name, word, listWords(words));
  }
  for (const name of FLAGS) {
    const flag = definition[name];
    if (flag !== undefined && typeof flag !== 'boolean') return mustBe(name, flag, 'true or false');
  }
  return undefined;
}

function findSchemaFault(definition: AnyDefinition): string | undefined {
  for (const name of ['input', 'output'] as const) {
    if (definition[name] !== undefined && !isStandardSchema(definition[name])) {
      return `${name} of a client tool must be a Standard Schema: one of zod, valibot or arktype, for instance.`;
    }
  }
  return undefined;
}

function mustBe(name: string, value: unknown, allowed: string): string {
  return `${name} of a client tool must be ${allowed}, not ${JSON.stringify(value) ?? String(value)}.`;
}

function listWords(words: readonly unknown[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}
