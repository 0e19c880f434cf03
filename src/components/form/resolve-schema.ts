import { hasOwn, isRecord } from '../../shared/json.ts';
import { type JsonSchema, ownNumber, ownString, without } from './json-schema.ts';
import { mergeSchemas } from './merge-schemas.ts';

/** What is known of the schema a part stands in. */
export interface ResolveScope {
  readonly root: JsonSchema;
  /** What may still be read; below zero the form has become too large. */
  readonly budget: { left: number };
}

/** More references than this, one leading to the next, lead nowhere. */
const MAX_REFERENCES = 20;

/**
 * Follows references (`#/…` and `#anchor`) and folds `allOf`; `undefined` for what is not a schema this form can read.
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

/** Draft 4 and OpenAPI 3.0 have a flag that puts the limit beside it out of reach; today that is a limit of its own. */
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

/** JSON Pointer (RFC 6901) as a fragment, from the root or from an anchor. */
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

/** A definition by the name it gives itself, which is `#name` in a reference. */
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
    // A per cent sign that encodes nothing stands for itself.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
