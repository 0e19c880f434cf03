import { compact } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
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
