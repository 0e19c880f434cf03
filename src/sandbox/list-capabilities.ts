import type { CodeExecutionOptions } from './code-execution.ts';

/** One thing a program may use, as code names it. */
export interface Capability {
  /** `orders.list`, `readFile from fs`, `./helpers.js`. */
  readonly name: string;
  /** A function reaches out of the sandbox; data and modules only go in. */
  readonly kind: 'function' | 'data' | 'module';
}

/** What is looked at of nested objects; below that they are data. */
const DEEPEST = 4;

/** Everything a program could reach with these options, functions first: they are what consent is about. */
export function listCapabilities(
  options: Pick<CodeExecutionOptions, 'globals' | 'imports' | 'modules'>,
): readonly Capability[] {
  const found: Capability[] = [];
  for (const [name, value] of Object.entries(options.globals ?? {})) visit(value, name, '', 1);
  for (const [module, namespace] of Object.entries(options.imports ?? {})) {
    for (const [name, value] of Object.entries(namespace)) visit(value, name, ` from ${module}`, 1);
  }
  for (const name of Object.keys(options.modules ?? {})) found.push({ name, kind: 'module' });
  const order = ['function', 'data', 'module'];
  return found.sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));

  function visit(value: unknown, name: string, suffix: string, depth: number): void {
    if (typeof value === 'function') {
      found.push({ name: `${name}${suffix}`, kind: 'function' });
    } else if (depth < DEEPEST && hasFunctions(value, depth)) {
      for (const [key, item] of Object.entries(value)) visit(item, `${name}.${key}`, suffix, depth + 1);
    } else {
      found.push({ name: `${name}${suffix}`, kind: 'data' });
    }
  }
}

function hasFunctions(value: unknown, depth: number): value is object {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  return Object.values(value).some((item) => typeof item === 'function' || hasFunctions(item, depth + 1));
}
