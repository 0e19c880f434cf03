import { compact } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import {
  countJsonBytes,
  isDescribableName,
  MAX_DESCRIBED_TOOLS,
  MAX_DESCRIPTION_BYTES,
} from '../../shared/tool-descriptions.ts';
import type { ToolDescription } from '../protocol/commands.ts';
import type { ClientTools } from './client-tool.ts';
import { findTool } from './find-tool.ts';

/** Describes the tools of the page to a backend that offers them to its model. A tool without a usable handler is left out. */
export function describeTools(tools: ClientTools = {}): readonly ToolDescription[] {
  return Object.keys(tools).flatMap((name) => {
    const tool = findTool(tools, name);
    if (typeof tool === 'string') return [];
    const { title, description, input, output, annotations } = tool;
    return compact({
      name,
      title,
      description,
      inputSchema: input && readStandardJsonSchema(input),
      outputSchema: output && readStandardJsonSchema(output),
      annotations,
    });
  });
}

/** The warnings that were written: each message would bring the same again. */
const written = /* @__PURE__ */ new Set<string>();

/** Describes the tools that a server takes with a trigger. What is over the limits is left out, with a warning. */
export function describeForTrigger(tools: ClientTools): readonly ToolDescription[] {
  const kept: ToolDescription[] = [];
  const leftOut: string[] = [];
  // The brackets and the commas of the list count as well.
  let bytes = 1;
  for (const description of describeTools(tools)) {
    const size = countBytes(description) + 1;
    const fits = kept.length < MAX_DESCRIBED_TOOLS && bytes + size <= MAX_DESCRIPTION_BYTES;
    if (fits && isDescribableName(description.name)) {
      kept.push(description);
      bytes += size;
    } else leftOut.push(description.name);
  }
  const names = leftOut.join(', ');
  if (names !== '' && !written.has(names)) {
    written.add(names);
    console.warn(
      `describeClientTools leaves out: ${names}. A server takes ${MAX_DESCRIBED_TOOLS} tools and ${MAX_DESCRIPTION_BYTES / 1000} kB together, under names ` +
        'of up to 64 letters, digits, _ and -. Rename these tools, shorten their schemas, or register tools only where they are needed.',
    );
  }
  return kept;
}

/** JSON cannot carry every schema: one with a cycle is left out. */
function countBytes(description: ToolDescription): number {
  try {
    return countJsonBytes(description);
  } catch {
    return Infinity;
  }
}
