import { hasOwn, isRecord } from '../../shared/json.ts';
import { readDeclaredSeverity, type Severity } from '../../shared/severity.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import type { Labels } from './labels.ts';
import { displayText, humaniseName, looksLikeIdentifier } from './safe-text.ts';

/** What a dialog says about a call, and the arguments that are left to show below it. */
export interface ToolPrompt {
  readonly title: string;
  readonly message: string | undefined;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Argument names that carry the words of the question, best first. */
const MESSAGE_KEYS = ['description', 'message', 'question', 'prompt'] as const;

/**
 * The words of a call. The app's `title` beats the model's `action`, because the app wrote it, and so does the name of
 * an MCP server that asks; a message of the arguments beats the tool's own description, because it is about this call.
 *
 * @param consumed Argument names the dialog shows in another way (`fields`, `options`).
 */
export function readToolPrompt(tool: AnyTool, consumed: readonly string[] = []): ToolPrompt {
  const args: unknown = tool.args;
  const used = new Set<string>(consumed);
  const ownText = (key: string): string | undefined => {
    if (!isRecord(args) || !hasOwn(args, key)) return undefined;
    const value = args[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };

  let title =
    tool.definition?.title ?? tool.definition?.annotations?.title ?? readAskingServer(tool.toolName);
  for (const key of ['action', 'title'] as const) {
    const text = title === undefined ? ownText(key) : undefined;
    if (text === undefined) continue;
    title = looksLikeIdentifier(text) ? humaniseName(text) : text;
    used.add(key);
  }
  let message: string | undefined;
  for (const key of MESSAGE_KEYS) {
    const text = message === undefined && !used.has(key) ? ownText(key) : undefined;
    if (text === undefined) continue;
    message = text;
    used.add(key);
  }
  const rest = Object.entries(isRecord(args) ? args : { [tool.toolName]: args }).filter(
    ([key]) => !used.has(key),
  );
  return {
    title: displayText(title ?? humaniseName(tool.toolName), 160),
    message: displayMessage(message ?? tool.definition?.description),
    // A plain assignment of a `__proto__` key would change the prototype; fromEntries defines it.
    rest: Object.fromEntries(rest),
  };
}

/**
 * The MCP server behind a question of its own (`mcp:<server>/elicitation`). The host named the call, so this is who asks,
 * whatever the question says of itself.
 */
export function readAskingServer(toolName: string): string | undefined {
  const server = /^mcp:(.+)\/elicitation$/.exec(toolName)?.[1];
  return server === undefined ? undefined : displayText(server, 120);
}

/**
 * The words for whether a tool may run, at all or again. They are the app's alone: arguments of a handler that happen to
 * be called `action` or `description` are no words of ours, and stay to be read with the others.
 */
export function readPermissionPrompt(
  tool: AnyTool,
  labels: Pick<Labels, 'rerunTitle' | 'rerunMessage' | 'allowTitle'>,
): ToolPrompt {
  const args: unknown = tool.args;
  const { definition } = tool;
  const title = definition?.title ?? definition?.annotations?.title ?? humaniseName(tool.toolName);
  const name = displayText(title, 120);
  const isAgain = tool.approvalReason === 'interrupted';
  return {
    title: isAgain ? labels.rerunTitle(name) : labels.allowTitle(name),
    message: isAgain ? labels.rerunMessage(name) : displayMessage(definition?.description),
    rest: isRecord(args) ? args : { [tool.toolName]: args },
  };
}

/** Also the words of a definition: they may be those of an MCP server. */
const displayMessage = (text: string | undefined) => text && displayText(text);

/** How careful a person should be with a call: as its tool was declared, but a second run needs caution at least. */
export function severityOf(tool: Pick<AnyTool, 'definition' | 'approvalReason'>): Severity {
  const severity = readDeclaredSeverity(tool.definition);
  // The first run was interrupted, so it may have had its effect already.
  return tool.approvalReason === 'interrupted' && severity === 'neutral' ? 'caution' : severity;
}
