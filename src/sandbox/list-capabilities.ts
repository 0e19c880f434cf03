import type { CodeExecutionOptions } from './code-execution.ts';

/** A value that a program may use, by its name in code. */
export interface Capability {
  /** `orders.list`, `readFile from fs`, `./helpers.js`. */
  readonly name: string;
  /** A function reaches out of the sandbox. Data and modules only go in. */
  readonly kind: 'function' | 'data' | 'module';
}

/**
 * Lists all capabilities of a program with these options. Functions come first, because the person consents to them.
 * The list has functions at any depth, because the sandbox bridges functions at any depth.
 */
export function listCapabilities(
  options: Pick<CodeExecutionOptions, 'globals' | 'imports' | 'modules'>,
): readonly Capability[] {
  const found: Capability[] = [];
  for (const [name, value] of Object.entries(options.globals ?? {})) visit(value, name, '', []);
  for (const [module, namespace] of Object.entries(options.imports ?? {})) {
    for (const [name, value] of Object.entries(namespace)) visit(value, name, ` from ${module}`, []);
  }
  for (const name of Object.keys(options.modules ?? {})) found.push({ name, kind: 'module' });
  const order = ['function', 'data', 'module'];
  return found.sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));

  function visit(value: unknown, name: string, suffix: string, within: readonly unknown[]): void {
    if (within.includes(value)) return;
    if (typeof value === 'function') {
      found.push({ name: `${name}${suffix}`, kind: 'function' });
    } else if (reachesFunction(value)) {
      for (const [key, part] of partsOf(value)) visit(part, `${name}.${key}`, suffix, [...within, value]);
    } else {
      found.push({ name: `${name}${suffix}`, kind: 'data' });
    }
  }
}

function reachesFunction(value: unknown): boolean {
  const met = new Set([value]);
  // A loop over a set also visits values that the loop adds.
  for (const item of met) {
    if (typeof item === 'function') return true;
    for (const [, part] of partsOf(item)) met.add(part);
  }
  return false;
}

/** Returns the parts of an object that the sandbox gets, by name. */
function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if (value instanceof Map)
    return [...value].flatMap(([key, item], index) => [
      [typeof key === 'string' ? key : `value ${index}`, item],
      [`key ${index}`, key],
    ]);
  if (value instanceof Set) return [...value].map((item, index) => [`item ${index}`, item]);
  if (value instanceof Error) return [['cause', value.cause]];
  return Object.entries(value);
}
