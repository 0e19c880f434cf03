import type { ConfirmationTone, InteractiveToolDefinition } from '../../store/client-tools.ts';
import type { AnyTool } from '../parts/any-tool.ts';

/**
 * How careful a person should be. The definition's own word wins; otherwise MCP annotations decide by their
 * rules, where a `destructiveHint` that is absent counts as true unless the tool only reads. A tool that says
 * nothing at all is neutral.
 */
export function readTone(tool: Pick<AnyTool, 'definition' | 'asks'>): ConfirmationTone {
  const tone = readDefinedTone(tool.definition);
  // Nobody knows how far the first run came, so a second one is never waved through.
  return tool.asks === 'rerun' && tone === 'neutral' ? 'caution' : tone;
}

function readDefinedTone(definition: InteractiveToolDefinition | undefined): ConfirmationTone {
  if (definition?.tone !== undefined) return definition.tone;
  const annotations = definition?.annotations;
  if (annotations === undefined) return 'neutral';
  if (annotations.readOnlyHint === true) return 'neutral';
  return annotations.destructiveHint === false ? 'caution' : 'destructive';
}
