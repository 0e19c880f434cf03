/** The rules by which the stand-in for the Mantyx platform accepts a body: every limit of a spec (agent-runs protocol, section 4). */

export type Json = Readonly<Record<string, unknown>>;

/** The use of a body: a run and a message have a prompt, a session does not. */
export type SpecUse = 'run' | 'session' | 'message';

const NAME = /^[a-zA-Z0-9_]{1,64}$/;
const SCHEMA_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const METADATA_KEY = /^[A-Za-z0-9._-]{1,64}$/;
const ROLES = ['user', 'assistant', 'system'];

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function countBytes(value: string): number {
  return Buffer.byteLength(value, 'utf8');
}

/** The first problem of a body; undefined when it is accepted. */
export function findSpecProblem(body: Json, use: SpecUse): string | undefined {
  const problems = [
    ...findInputProblems(body, use),
    ...(use === 'message' ? [] : findAgentProblems(body)),
    ...findToolsProblems(body.tools),
    ...findReasoningProblems(body.reasoningLevel),
    ...findBudgetsProblems(body.budgets),
    ...findOutputProblems(body.outputSchema),
    ...findLoopProblems(body.loopDetection),
    ...findToolBudgetProblems(body.toolBudgets),
    ...findMetadataProblems(body.metadata),
  ];
  return problems[0];
}

function* findInputProblems({ prompt, messages }: Json, use: SpecUse): Generator<string, void> {
  const given = [prompt, messages].filter((value) => value !== undefined).length;
  if (use === 'session') {
    if (given > 0) yield 'prompt and messages belong to a message of the session';
    return;
  }
  if (given !== 1) yield 'exactly one of prompt and messages is needed';
  if (prompt !== undefined && !isText(prompt)) yield 'prompt must be a text';
  if (messages === undefined) return;
  if (use === 'message') yield 'a message of a session has a prompt';
  if (!Array.isArray(messages) || messages.length === 0) return yield 'messages must be a list';
  for (const message of messages) {
    if (!isJson(message) || !ROLES.includes(String(message.role)) || typeof message.content !== 'string') {
      yield 'messages need a role and a content';
    }
  }
}

function* findAgentProblems({ agentId, systemPrompt }: Json): Generator<string, void> {
  if (!isText(agentId) && !isText(systemPrompt)) yield 'one of agentId and systemPrompt is needed';
}

function* findToolsProblems(tools: unknown): Generator<string, void> {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) return yield 'tools must be a list';
  for (const tool of tools) yield* isJson(tool) ? findToolProblems(tool) : ['a tool must be an object'];
}

function* findToolProblems(tool: Json): Generator<string, void> {
  const { kind, name, headers } = tool;
  if (kind === 'mantyx') {
    if (!isText(tool.id)) yield 'a mantyx tool needs an id';
    return;
  }
  if (typeof name !== 'string' || (kind !== 'mantyx_plugin' && !NAME.test(name))) {
    yield `tool name ${String(name)} does not match ${NAME.source}`;
  }
  for (const [key, value] of Object.entries(isJson(headers) ? headers : {})) {
    if (typeof value !== 'string' || countBytes(value) > 8 * 1024) yield `header ${key} exceeds 8 KB`;
  }
  switch (kind) {
    case 'local':
    case 'mantyx_plugin':
      return;
    case 'a2a':
      if (!isText(tool.agentCardUrl)) yield 'a2a needs an agentCardUrl';
      return;
    case 'mcp':
      if (!isText(tool.url)) yield 'mcp needs a url';
      return;
    case 'a2a_local':
      if (!isJson(tool.agentCard)) yield 'a2a_local needs an agentCard';
      return;
    case 'mcp_local':
      return yield* findCatalogueProblems(tool.tools);
    default:
      yield `unknown tool kind ${String(kind)}`;
  }
}

function* findCatalogueProblems(tools: unknown): Generator<string, void> {
  if (!Array.isArray(tools) || tools.length < 1 || tools.length > 64)
    return yield 'mcp_local needs 1 to 64 tools';
  for (const tool of tools) {
    if (!isJson(tool) || !NAME.test(String(tool.name)))
      yield `mcp_local tool name does not match ${NAME.source}`;
  }
}

function* findReasoningProblems(level: unknown): Generator<string, void> {
  const isWord = ['off', 'low', 'medium', 'high'].includes(String(level));
  if (level !== undefined && !isWord && !isInteger(level, 0, 100)) yield 'reasoningLevel is out of range';
}

function* findBudgetsProblems(budgets: unknown): Generator<string, void> {
  if (budgets === undefined) return;
  const turns = isJson(budgets) ? budgets.maxToolTurns : null;
  if (turns !== undefined && !isInteger(turns, 1, 100)) yield 'budgets.maxToolTurns is out of range';
}

function* findOutputProblems(output: unknown): Generator<string, void> {
  if (output === undefined) return;
  if (!isJson(output) || !isJson(output.schema)) return yield 'outputSchema.schema must be an object';
  if (output.schema.type !== undefined && output.schema.type !== 'object')
    yield 'outputSchema.schema must have an object root';
  if (output.name !== undefined && !SCHEMA_NAME.test(String(output.name)))
    yield `outputSchema.name does not match ${SCHEMA_NAME.source}`;
  if (countBytes(JSON.stringify(output)) > 32 * 1024) yield 'outputSchema exceeds 32 KB';
}

function* findLoopProblems(loop: unknown): Generator<string, void> {
  if (loop === undefined || loop === false) return;
  if (!isJson(loop)) return yield 'loopDetection must be an object or false';
  const { consecutiveThreshold: soft = 3, hardCutoffThreshold: hard = 6 } = loop;
  if (!isInteger(soft, 2, 100)) yield 'loopDetection.consecutiveThreshold must be 2 to 100';
  if (!isInteger(hard, 3, 100)) yield 'loopDetection.hardCutoffThreshold must be 3 to 100';
  if (Number(hard) <= Number(soft))
    yield 'loopDetection.hardCutoffThreshold must exceed consecutiveThreshold';
}

function* findToolBudgetProblems(budgets: unknown): Generator<string, void> {
  if (budgets === undefined) return;
  if (!isJson(budgets)) return yield 'toolBudgets must be an object';
  const entries = Object.entries(budgets);
  if (entries.length > 32) yield 'toolBudgets has more than 32 entries';
  for (const [key, budget] of entries) {
    if (key.length < 1 || key.length > 120) yield 'a key of toolBudgets must have 1 to 120 characters';
    if (!isJson(budget) || !isInteger(budget.maxCalls, 0, 1000))
      yield `toolBudgets.${key}.maxCalls must be 0 to 1000`;
  }
}

function* findMetadataProblems(metadata: unknown): Generator<string, void> {
  if (metadata === undefined) return;
  if (!isJson(metadata)) return yield 'metadata must be an object';
  const entries = Object.entries(metadata);
  if (entries.length > 16) yield 'metadata has more than 16 entries';
  for (const [key, value] of entries) {
    if (!METADATA_KEY.test(key)) yield `metadata key ${key} does not match ${METADATA_KEY.source}`;
    if (typeof value !== 'string' || value.length > 256)
      yield `metadata.${key} must be a text of at most 256 characters`;
  }
  if (countBytes(JSON.stringify(metadata)) > 4 * 1024) yield 'metadata exceeds 4 KB';
}

/** The problem of a tool result's body, or undefined (section 8). */
export function findResultProblem({ toolUseId, result, error }: Json): string | undefined {
  if (!isText(toolUseId)) return 'toolUseId is missing';
  if ((result === undefined) === (error === undefined)) return 'exactly one of result and error is needed';
  if (result !== undefined && typeof result !== 'string') return 'result must be a string';
  if (error !== undefined && typeof error !== 'string') return 'error must be a string';
  if (typeof result === 'string' && countBytes(result) > 2 * 1024 * 1024) return 'result exceeds 2 MB';
  if (typeof error === 'string' && countBytes(error) > 8 * 1024) return 'error exceeds 8 KB';
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isInteger(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
