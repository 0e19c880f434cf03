/** What an MCP tool answered, as the text a model reads. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { LocalToolAnswer } from './local-tool-source.ts';

/**
 * The text blocks, one below the other (Mantyx protocol 0.11, section 8). Without any: the structured content, else
 * what kinds of blocks there were, because a model that reads nothing calls again.
 */
export function readToolResult({ content, structuredContent, isError }: CallToolResult): LocalToolAnswer {
  const texts = content.flatMap((block) => (block.type === 'text' ? block.text : []));
  const text =
    texts.length > 0
      ? texts.join('\n')
      : structuredContent === undefined
        ? content.map(({ type }) => `[${type}]`).join('\n')
        : JSON.stringify(structuredContent);
  return isError === true ? { error: text === '' ? 'The tool failed.' : text } : { result: text };
}
