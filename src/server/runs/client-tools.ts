/** Which tools of the page the agent sees: those that a rule of the app allows, and none without a rule. */
import type { ToolDescription } from '../../core/protocol/commands.ts';
import { reportFailure } from '../report-failure.ts';
import { saysYes } from '../says-yes.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { findServerTool } from '../tools/find-server-tool.ts';
import type { SessionSettings } from './session-settings.ts';

/**
 * Returns the tools of a trigger that the agent may see. The rule is asked once for each trigger: later requests of the turn, also in
 * another process, have the same tools.
 */
export async function allowClientTools(
  settings: SessionSettings,
  described: readonly ToolDescription[],
): Promise<readonly ToolDescription[]> {
  const mayBeSeen = await Promise.all(described.map((tool) => isAllowed(settings, tool)));
  return described.filter((tool, index) => mayBeSeen[index] && !isOfServer(settings, tool));
}

/** Returns the tools that the agent sees in this process: its rule may have gone, and its own tools may be others. */
export function shownClientTools(
  settings: SessionSettings,
  { clientTools = [] }: ExecutionRecord,
): readonly ToolDescription[] {
  if (settings.clientTools === undefined) return [];
  return clientTools.filter((tool) => !isOfServer(settings, tool));
}

/** The page must not say what a tool of the server does. */
function isOfServer({ tools }: SessionSettings, { name }: ToolDescription): boolean {
  return findServerTool(tools, name) !== undefined;
}

async function isAllowed(settings: SessionSettings, tool: ToolDescription): Promise<boolean> {
  const { clientTools: rule, clock, onError, id: sessionId } = settings;
  if (rule === undefined) return false;
  if (rule === 'all') return true;
  if (typeof rule !== 'function') return rule.includes(tool.name);
  return saysYes({
    clock,
    name: `clientTools for the tool '${tool.name}'`,
    report: (thrown) => reportFailure(onError, thrown, { source: 'rule', sessionId, toolName: tool.name }),
    ask: () => rule(tool),
  });
}
