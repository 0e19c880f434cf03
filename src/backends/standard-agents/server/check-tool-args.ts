/** The allow-list of argument schemas (Standard Agents specification 0.15, `ToolArgsNode`). */
import type { z } from 'zod';
import { readOwn } from '../../../shared/json.ts';

/** How many containers and wrappers may stand inside each other below an argument. */
const MAX_DEPTH = 7;

/** A schema of Zod 4, as far as the check reads it. */
interface Node {
  readonly _zod: { readonly def: Def };
}

interface Def {
  readonly type: string;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly shape?: Readonly<Record<string, Node>>;
  /** The schema of the properties that `shape` does not have. `z.strictObject()` has `z.never()`, which allows none. */
  readonly catchall?: Node;
  readonly innerType?: Node;
  readonly element?: Node;
  readonly keyType?: Node;
  readonly valueType?: Node;
  readonly options?: readonly Node[];
  readonly discriminator?: string;
}

interface Rule {
  /** Returns a fault of this very node. */
  readonly fault?: (def: Def) => string | undefined;
  /** Returns the nodes inside, by their step in the path. A rule without it is for a leaf. */
  readonly inside?: (def: Def) => readonly (readonly [step: string, node: Node | undefined])[];
}

const LEAF: Rule = {};
const WRAPPER: Rule = { inside: ({ innerType }) => [['', innerType]] };

/** The kinds that the specification allows, by the `type` of their definition. */
const RULES: Readonly<Record<string, Rule>> = {
  string: LEAF,
  number: LEAF,
  boolean: LEAF,
  null: LEAF,
  unknown: LEAF,
  literal: {
    fault: ({ values = [] }) =>
      values.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value))
        ? undefined
        : 'has a value other than a string, number, boolean or null',
  },
  enum: {
    fault: ({ entries = {} }) =>
      Object.values(entries).every((value) => typeof value === 'string')
        ? undefined
        : 'has a value that is no string',
  },
  optional: WRAPPER,
  nullable: WRAPPER,
  default: WRAPPER,
  array: { inside: ({ element }) => [['[]', element]] },
  object: {
    inside: ({ shape = {}, catchall }) => [
      ...Object.entries(shape).map(([key, node]) => [`.${key}`, node] as const),
      ...(catchall === undefined || catchall._zod.def.type === 'never' ? [] : [['.*', catchall] as const]),
    ],
  },
  record: {
    fault: ({ keyType }) =>
      keyType?._zod.def.type === 'string' ? undefined : 'has keys that are no z.string()',
    inside: ({ valueType }) => [['{}', valueType]],
  },
  union: {
    fault: ({ options = [], discriminator }) => {
      if (discriminator !== undefined) return 'has a discriminator; use z.union';
      return options.length < 2 ? 'has fewer than two options' : undefined;
    },
    inside: ({ options = [] }) => options.map((node, index) => [`|${index}`, node]),
  },
};

/**
 * Throws if a schema is not one that every runtime of the standard accepts for the arguments of a tool.
 *
 * @throws TypeError with the path of the node and its kind.
 */
export function checkToolArgs(args: z.ZodType, owner: string): void {
  const root = args as unknown as Partial<Node>;
  if (root._zod?.def.type !== 'object') {
    throw new TypeError(`${owner}: args must be a z.object() of Zod 4, got ${kindOf(root)}`);
  }
  for (const [step, node] of RULES.object?.inside?.(root._zod.def) ?? []) {
    checkNode(node, `${owner}: args${step}`, MAX_DEPTH);
  }
}

function checkNode(node: Node | undefined, path: string, depthLeft: number): void {
  const def = node?._zod?.def;
  const rule = def && readOwn(RULES, def.type);
  if (def === undefined || rule === undefined) {
    throw new TypeError(
      `${path} is ${kindOf(node)}, which the arguments of a tool may not have. Allowed: ${Object.keys(RULES).join(', ')}`,
    );
  }
  const fault = rule.fault?.(def);
  if (fault !== undefined) throw new TypeError(`${path} is ${kindOf(node)} that ${fault}`);
  if (rule.inside === undefined) return;
  if (depthLeft === 0) {
    throw new TypeError(
      `${path} is ${kindOf(node)} deeper than ${MAX_DEPTH} levels, the most that arguments may have`,
    );
  }
  for (const [step, inner] of rule.inside(def)) checkNode(inner, `${path}${step}`, depthLeft - 1);
}

/** Returns the class of a schema (`ZodDate`), which is the word that the specification uses. */
function kindOf(node: Partial<Node> | undefined): string {
  const type = node?._zod?.def.type;
  if (type === undefined) return 'no schema of Zod 4';
  const suffix = node?._zod?.def.discriminator === undefined ? type : 'discriminatedUnion';
  return `a Zod${suffix.charAt(0).toUpperCase()}${suffix.slice(1)}`;
}
