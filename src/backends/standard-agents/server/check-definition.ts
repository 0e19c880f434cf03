import type { z } from 'zod';
import { checkToolArgs } from './check-tool-args.ts';

/** The parts that a tool and an effect both have. */
interface Definition {
  readonly description: string;
  readonly args?: z.ZodType | undefined;
  readonly execute: unknown;
}

/**
 * Checks the definition of a tool or an effect.
 *
 * @param expected what its description says, and the form of its function
 * @throws TypeError that names what is wrong and what to write.
 */
export function checkDefinition(
  owner: string,
  { description, args, execute }: Definition,
  expected: Readonly<Record<'description' | 'execute', string>>,
): void {
  if (typeof description !== 'string' || description.trim() === '') {
    throw new TypeError(`${owner}: description must be a text that ${expected.description}`);
  }
  if (typeof execute !== 'function') {
    throw new TypeError(`${owner}: execute must be a function ${expected.execute}`);
  }
  if (args !== undefined) checkToolArgs(args, owner);
}
