/** Every provider of models takes such names. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Names of tools that the runtime does not run: the provider of the model, or an MCP server, does. */
const RESERVED = /^(provider|mcp):/;

/**
 * Returns why a tool of an agent cannot have this name, or null if it can. `provider:` and `mcp:` are reserved: they begin the names of tools
 * that others run.
 */
export function validateToolName(name: string): string | null {
  if (RESERVED.test(name)) {
    return `The tool name ${name} begins with a reserved prefix, so the runtime would not run the tool. Leave the prefix out.`;
  }
  if (NAME.test(name)) return null;
  return `The tool name ${JSON.stringify(name)} must have 1 to 64 letters, digits, underscores or hyphens. Rename the tool.`;
}
