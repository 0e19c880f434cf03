/** What may be said of a tool, before anything is sent (Mantyx protocol 0.11, sections 2 and 3). */
import { invalidOptions } from '../shared/errors.ts';
import {
  demand,
  demandBytes,
  demandOptionalText,
  demandPattern,
  demandRecord,
  demandText,
  TOOL_NAME,
} from './limits.ts';
import type { ToolRef } from './spec.ts';

const HEADER_BYTES = 8 * 1024;

/** @throws AgentChatError `invalid_options` that names field, limit and value, or the name two tools share. */
export function checkTools(refs: readonly ToolRef[]): void {
  for (const [index, ref] of refs.entries()) checkTool(ref, `tools[${index}]`);
  const names = refs.flatMap(namesOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw invalidOptions(
    `Mantyx: two tools are called ${JSON.stringify(twice)}, and the model could not tell them apart. Rename one of them. Nothing was sent.`,
  );
}

function checkTool(ref: ToolRef, place: string): void {
  demandRecord(ref, place);
  switch (ref.kind) {
    case 'mantyx':
      demandText(ref.id, `${place}.id`);
      return;
    case 'mantyx_plugin':
      demandText(ref.name, `${place}.name`);
      return;
    case 'a2a':
      demandText(ref.agentCardUrl, `${place}.agentCardUrl`);
      checkHeaders(ref.headers, place);
      break;
    case 'mcp':
      demandText(ref.url, `${place}.url`);
      checkHeaders(ref.headers, place);
      break;
    case 'local':
      demandOptionalText(ref.description, `${place}.description`);
      break;
    case 'a2a_local':
      demandRecord(ref.agentCard, `${place}.agentCard`);
      break;
    case 'mcp_local':
      checkCatalogue(ref.tools, place);
      break;
    default:
      ref satisfies never;
      demand(false, `${place}.kind`, 'mantyx, mantyx_plugin, a2a, mcp, local, a2a_local or mcp_local', ref);
  }
  demandPattern(ref.name, TOOL_NAME, `${place}.name`);
}

function checkHeaders(headers: Readonly<Record<string, string>> | undefined, place: string): void {
  if (headers === undefined) return;
  demandRecord(headers, `${place}.headers`);
  for (const [name, value] of Object.entries(headers)) {
    demand(typeof value === 'string', `${place}.headers.${name}`, 'a text', value);
    demandBytes(value, HEADER_BYTES, '8 KB', `${place}.headers.${name}`);
  }
}

function checkCatalogue(tools: readonly { readonly name: string }[], place: string): void {
  const holds = Array.isArray(tools) && tools.length >= 1 && tools.length <= 64;
  demand(holds, `${place}.tools`, '1 to 64 tools', Array.isArray(tools) ? tools.length : tools);
  for (const [index, tool] of tools.entries()) {
    demandPattern(tool?.name, TOOL_NAME, `${place}.tools[${index}].name`);
  }
}

/** What the model calls it, as far as that is known here. */
function namesOf(ref: ToolRef): readonly string[] {
  switch (ref.kind) {
    case 'mantyx':
    case 'mcp':
      return [];
    case 'mcp_local':
      return ref.tools.map(({ name }) => name);
    default:
      return [ref.name];
  }
}
