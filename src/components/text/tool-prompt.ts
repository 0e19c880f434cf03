import { hasOwn, isRecord } from '../../shared/json.ts';
import { readDeclaredSeverity, type Severity } from '../../shared/severity.ts';
import type { AnyTool } from '../any-tool.ts';
import { displayText, humaniseName, looksLikeIdentifier, MAX_TEXT_LENGTH } from './safe-text.ts';
import type { SharedLabels } from './shared-labels.ts';

/** The title and the message of a dialog, and the arguments that it lists below them. */
export interface ToolPrompt {
  readonly title: string;
  /** The model wrote the title: the definition of the tool has none. */
  readonly isAgentsTitle?: boolean;
  readonly message: string | undefined;
  /** The model wrote the message, which is none of the definition. */
  readonly isAgentsMessage?: boolean;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** A longer title is cut. */
const MAX_TITLE_LENGTH = 160;
/** Arguments that may hold the message, best first. */
const MESSAGE_KEYS = ['description', 'message', 'question', 'prompt'] as const;

/**
 * Reads the texts of a call's dialog. The app's `title`, or else the name of the MCP server that asks, comes before the
 * model's `action`, because a model cannot be trusted with it. A message in the arguments comes before the tool's
 * description, because it is about this call. The text of a question that a server asks comes before both, and an argument that is called
 * `message` is listed beside it. A text that is cut is listed as well, where it can be read whole.
 *
 * @param consumed Names of arguments that the dialog shows in another way (`fields`, `options`).
 */
export function readToolPrompt(tool: AnyTool, consumed: readonly string[] = []): ToolPrompt {
  const args: unknown = tool.args;
  const used = new Set<string>(consumed);
  const ownText = (key: string): string | undefined => {
    if (!isRecord(args) || !hasOwn(args, key)) return undefined;
    const value = args[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };

  let isAgentsTitle = false;
  let isAgentsMessage = false;
  const server = readAskingServer(tool.toolName);
  let title = tool.definition?.title ?? tool.definition?.annotations?.title ?? server;
  for (const key of ['action', 'title'] as const) {
    const text = title === undefined ? ownText(key) : undefined;
    if (text === undefined) continue;
    title = looksLikeIdentifier(text) ? humaniseName(text) : text;
    isAgentsTitle = true;
    if (text.length <= MAX_TITLE_LENGTH) used.add(key);
  }
  let message = tool.definition?.message;
  // Servers of before 0.2 put the question among the arguments as well.
  if (message !== undefined && ownText('message') === message) used.add('message');
  for (const key of MESSAGE_KEYS) {
    const text = message === undefined && !used.has(key) ? ownText(key) : undefined;
    if (text === undefined) continue;
    message = text;
    // A server's question is its own text. The title names the server.
    isAgentsMessage = server === undefined;
    if (text.length <= MAX_TEXT_LENGTH) used.add(key);
  }
  const rest = Object.entries(isRecord(args) ? args : { [tool.toolName]: args }).filter(
    ([key]) => !used.has(key),
  );
  return {
    title: displayText(title ?? humaniseName(tool.toolName), MAX_TITLE_LENGTH),
    ...(isAgentsTitle && { isAgentsTitle }),
    ...(isAgentsMessage && { isAgentsMessage }),
    message: displayMessage(message ?? tool.definition?.description),
    // Assigning a `__proto__` key would change the prototype; `fromEntries` defines a property.
    rest: Object.fromEntries(rest),
  };
}

/**
 * Returns the name of the MCP server that asks (`mcp:<server>/elicitation`), or undefined for any other call. The host
 * names the call, so the server cannot pretend to be another one.
 */
export function readAskingServer(toolName: string): string | undefined {
  const server = /^mcp:(.+)\/elicitation$/.exec(toolName)?.[1];
  return server === undefined ? undefined : displayText(server, 120);
}

/** Names the question about a call within a sentence. Of a handler that may run it is the tool, which the app names. */
export function readQuestionName(tool: AnyTool): string {
  const { definition, toolName } = tool;
  if (tool.approvalReason === undefined) return readToolPrompt(tool).title;
  return displayText(definition?.title ?? definition?.annotations?.title ?? humaniseName(toolName), 120);
}

/** Returns the name of the MCP server whose tool (`mcp:<server>/<tool>`) is called, or undefined for any other tool. */
export function readServer(toolName: string): string | undefined {
  const server = /^mcp:([^/]+)\//.exec(toolName)?.[1];
  return server === undefined ? undefined : displayText(server, 120);
}

/**
 * Reads the texts of an approval: what happens if the tool runs, or runs again. They come from the app only. An argument of the handler
 * that is called `action` or `description` is listed with the other arguments.
 */
export function readPermissionPrompt(
  tool: AnyTool,
  labels: Pick<SharedLabels, 'rerunTitle' | 'rerunMessage'>,
): ToolPrompt {
  const args: unknown = tool.args;
  const { definition } = tool;
  const name = readQuestionName(tool);
  const isAgain = tool.approvalReason === 'interrupted';
  return {
    title: isAgain ? labels.rerunTitle(name) : name,
    message: isAgain ? labels.rerunMessage(name) : displayMessage(definition?.description),
    rest: isRecord(args) ? args : { [tool.toolName]: args },
  };
}

/** A description in a tool definition may come from an MCP server, so it is made safe too. */
const displayMessage = (text: string | undefined) => text && displayText(text);

/** How careful a person should be with a call: as its tool was declared, but a second run needs caution at least. */
export function severityOf(tool: Pick<AnyTool, 'definition' | 'approvalReason'>): Severity {
  const severity = readDeclaredSeverity(tool.definition);
  // The first run was interrupted, so it may have had its effect already.
  return tool.approvalReason === 'interrupted' && severity === 'neutral' ? 'caution' : severity;
}
