/** Reads the tools that a page describes. They come from the browser: nothing in them is trusted, and only what is known is kept. */
import type { ToolDescription } from '../core/protocol/commands.ts';
import { isDeeperThan } from '../shared/is-too-deep.ts';
import { compact, deepFreeze, hasOwn, isRecord } from '../shared/json.ts';
import {
  countJsonBytes,
  isDescribableName,
  MAX_DESCRIBED_TOOLS,
  MAX_DESCRIPTION_BYTES,
} from '../shared/tool-descriptions.ts';

/** Providers read a schema recursively. No schema that describes arguments comes near it. */
const MAX_SCHEMA_DEPTH = 64;

const TEXTS = ['title', 'description'] as const;
const SCHEMAS = ['inputSchema', 'outputSchema'] as const;
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Returns the descriptions, frozen; or a text that says what is wrong with them. Null and undefined are none. */
export function readClientTools(given: unknown): readonly ToolDescription[] | string {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) return 'clientTools must be a list of descriptions of tools.';
  const tools: ToolDescription[] = [];
  let bytes = 1;
  for (const [index, item] of given.entries()) {
    if (!isRecord(item) || typeof item.name !== 'string') {
      return `clientTools[${index}] must be an object with the name of a tool.`;
    }
    const { name } = item;
    const tool = readTool(name, item);
    if (typeof tool === 'string') return `clientTools: the tool '${name.slice(0, 80)}' ${tool}`;
    if (tools.some((other) => other.name === name)) return `clientTools: the tool '${name}' is there twice.`;
    bytes += countJsonBytes(tool) + 1;
    const isOver = tools.length === MAX_DESCRIBED_TOOLS ? `${MAX_DESCRIBED_TOOLS} tools` : undefined;
    const limit =
      isOver ?? (bytes > MAX_DESCRIPTION_BYTES ? `${MAX_DESCRIPTION_BYTES / 1000} kB` : undefined);
    if (limit !== undefined) {
      return `clientTools: the tool '${name}' is over the limit of ${limit} together. Describe fewer or shorter tools.`;
    }
    tools.push(tool);
  }
  return deepFreeze(tools);
}

function readTool(name: string, item: Readonly<Record<string, unknown>>): ToolDescription | string {
  if (!isDescribableName(name)) {
    return 'has a name that is not allowed: use up to 64 letters, digits, _ and -, and no name that every object has.';
  }
  for (const key of TEXTS) {
    if (item[key] !== undefined && typeof item[key] !== 'string') return `has a ${key} that is not a text.`;
  }
  for (const key of SCHEMAS) {
    const schema = item[key];
    if (schema === undefined) continue;
    if (!isRecord(schema)) return `has an ${key} that is not a JSON Schema: it must be an object.`;
    if (isDeeperThan(MAX_SCHEMA_DEPTH, schema)) {
      return `has an ${key} that is nested deeper than ${MAX_SCHEMA_DEPTH} levels.`;
    }
    if (hasPrototypeKey(schema)) return `has an ${key} with the key __proto__, which is not allowed.`;
  }
  const { annotations = {} } = item;
  if (!isRecord(annotations)) return 'has annotations that are not an object.';
  const hints = HINTS.flatMap((hint) => {
    const value = hasOwn(annotations, hint) ? annotations[hint] : undefined;
    return typeof value === 'boolean' ? [[hint, value] as [string, unknown]] : [];
  });
  const title = hasOwn(annotations, 'title') ? annotations.title : undefined;
  const said = Object.fromEntries(typeof title === 'string' ? [['title', title], ...hints] : hints);
  return compact({
    name,
    title: item.title,
    description: item.description,
    inputSchema: item.inputSchema,
    outputSchema: item.outputSchema,
    annotations: Object.keys(said).length > 0 ? said : undefined,
  }) as ToolDescription;
}

/** Code that copies such a schema key by key would change the prototype of its copy. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}
