import { hasOwn, isRecord } from '../../shared/json.ts';
import { type JsonSchema, ownString, without } from './json-schema.ts';

/** What is known of the schema a part stands in. */
export interface ResolveScope {
  readonly root: JsonSchema;
  /** What may still be read; below zero the form has become too large. */
  readonly budget: { left: number };
}

/** More references than this, one leading to the next, lead nowhere. */
const MOST_STEPS = 20;

/**
 * Follows references (`#/…` and `#anchor`) and folds `allOf`; `undefined` for what is not a schema this form can read.
 */
export function resolveSchema(schema: unknown, scope: ResolveScope, steps = 0): JsonSchema | undefined {
  scope.budget.left -= 1;
  if (!isRecord(schema) || steps > MOST_STEPS || scope.budget.left < 0) return undefined;
  const reference = ownString(schema, '$ref');
  if (reference !== undefined) {
    const target = resolveSchema(followReference(reference, scope.root), scope, steps + 1);
    return target === undefined ? undefined : { ...target, ...without(schema, '$ref') };
  }
  if (!Array.isArray(schema.allOf)) return schema;
  return schema.allOf.reduce<JsonSchema | undefined>(
    (merged, part) => {
      const resolved = resolveSchema(part, scope, steps + 1);
      return merged === undefined || resolved === undefined ? undefined : mergeSchemas(merged, resolved);
    },
    without(schema, 'allOf'),
  );
}

function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  const required = [one.required, other.required].filter(Array.isArray).flat();
  const properties = {
    ...(isRecord(one.properties) ? one.properties : {}),
    ...(isRecord(other.properties) ? other.properties : {}),
  };
  return {
    ...other,
    ...one,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
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
