import { hasOwn, isRecord, ownString } from '../../../shared/json.ts';
import { type JsonSchema, ownNumber, without } from './json-schema.ts';
import { mergeSchemas } from './merge-schemas.ts';

/** The document around a part of a schema. */
export interface ResolveScope {
  readonly root: JsonSchema;
  /** How many parts may still be read; below zero the form is too large. */
  readonly budget: { left: number };
}

/** A longer chain of references is treated as endless. */
const MAX_REFERENCES = 20;

/**
 * Follows references (`#/…` and `#anchor`) and merges `allOf`. Returns `undefined` for a schema that a form cannot read.
 */
export function resolveSchema(schema: unknown, scope: ResolveScope, steps = 0): JsonSchema | undefined {
  scope.budget.left -= 1;
  if (!isRecord(schema) || steps > MAX_REFERENCES || scope.budget.left < 0) return undefined;
  const reference = ownString(schema, '$ref');
  if (reference !== undefined) {
    const target = resolveSchema(followReference(reference, scope.root), scope, steps + 1);
    return target && mergeSchemas(withLimits(without(schema, '$ref')), target);
  }
  if (!Array.isArray(schema.allOf)) return withLimits(schema);
  return schema.allOf.reduce<JsonSchema | undefined>(
    (merged, part) => {
      const resolved = resolveSchema(part, scope, steps + 1);
      return merged && resolved && mergeSchemas(merged, resolved);
    },
    withLimits(without(schema, 'allOf')),
  );
}

/**
 * In draft 4 and OpenAPI 3.0 `exclusiveMinimum: true` excludes the `minimum` beside it; today it holds the limit itself.
 */
function withLimits(schema: JsonSchema): JsonSchema {
  let node = schema;
  for (const [flag, key] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const limit = ownNumber(node, key);
    if (node[flag] === true && limit !== undefined) node = { ...without(node, key), [flag]: limit };
  }
  return node;
}

/** Follows a JSON Pointer (RFC 6901) in a fragment, from the root or from an anchor. */
function followReference(reference: string, root: JsonSchema): unknown {
  const [place, ...steps] = reference.split('/');
  let node = place === '#' ? root : findAnchored(place, root);
  for (const step of steps) {
    const key = decodeStep(step);
    if (!isRecord(node) || !hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}

/** Finds a definition by its `$anchor`; a reference calls it `#name`. */
function findAnchored(place: string | undefined, root: JsonSchema): unknown {
  return [root.$defs, root.definitions]
    .flatMap((definitions) => (isRecord(definitions) ? Object.values(definitions) : []))
    .find((definition) => isRecord(definition) && `#${ownString(definition, '$anchor')}` === place);
}

function decodeStep(step: string): string {
  let decoded = step;
  try {
    decoded = decodeURIComponent(step);
  } catch {
    // A percent sign that encodes nothing is an ordinary character.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
