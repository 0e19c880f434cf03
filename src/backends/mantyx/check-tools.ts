/** Checks tool references before a request is sent (Mantyx protocol 0.11, sections 2 and 3). */
import { invalidOptions } from '../../shared/errors.ts';
import {
  assertBytes,
  assertLimit,
  assertOptionalText,
  assertPattern,
  assertRecord,
  assertText,
  TOOL_NAME,
} from './assert-limit.ts';
import type { ToolRef } from './spec.ts';

const HEADER_BYTES = 8 * 1024;

/** @throws AgentChatError `invalid_options` that names field, limit and value, or a name that two tools share. */
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
  assertRecord(ref, place);
  switch (ref.kind) {
    case 'mantyx':
      assertText(ref.id, `${place}.id`);
      return;
    case 'mantyx_plugin':
      assertText(ref.name, `${place}.name`);
      return;
    case 'a2a':
      assertText(ref.agentCardUrl, `${place}.agentCardUrl`);
      checkHeaders(ref.headers, place);
      break;
    case 'mcp':
      assertText(ref.url, `${place}.url`);
      checkHeaders(ref.headers, place);
      break;
    case 'local':
      assertOptionalText(ref.description, `${place}.description`);
      break;
    case 'a2a_local':
      assertRecord(ref.agentCard, `${place}.agentCard`);
      break;
    case 'mcp_local':
      checkCatalogue(ref.tools, place);
      break;
    default:
      ref satisfies never;
      assertLimit(
        false,
        `${place}.kind`,
        'mantyx, mantyx_plugin, a2a, mcp, local, a2a_local or mcp_local',
        ref,
      );
  }
  assertPattern(ref.name, TOOL_NAME, `${place}.name`);
}

function checkHeaders(headers: Readonly<Record<string, string>> | undefined, place: string): void {
  if (headers === undefined) return;
  assertRecord(headers, `${place}.headers`);
  for (const [name, value] of Object.entries(headers)) {
    assertLimit(typeof value === 'string', `${place}.headers.${name}`, 'a text', value);
    assertBytes(value, HEADER_BYTES, '8 KB', `${place}.headers.${name}`);
  }
}

function checkCatalogue(tools: readonly { readonly name: string }[], place: string): void {
  const holds = Array.isArray(tools) && tools.length >= 1 && tools.length <= 64;
  assertLimit(holds, `${place}.tools`, '1 to 64 tools', Array.isArray(tools) ? tools.length : tools);
  for (const [index, tool] of tools.entries()) {
    assertPattern(tool?.name, TOOL_NAME, `${place}.tools[${index}].name`);
  }
}

/** The names under which the model calls the tool, if the page knows them. */
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
