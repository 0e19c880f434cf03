/** Checks every limit of a spec before a request is sent. The platform would refuse it with 400 (Mantyx protocol 0.11, section 2). */
import { isRecord } from '../../shared/json.ts';
import {
  assertBytes,
  assertInteger,
  assertLimit,
  assertOptionalText,
  assertPattern,
  assertRecord,
  assertText,
} from './assert-limit.ts';
import type { MantyxMessage, MantyxSpec, OutputSchema } from './spec.ts';

const KB = 1024;
const SCHEMA_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const METADATA_KEY = /^[A-Za-z0-9._-]{1,64}$/;
const REASONING_LEVELS: readonly unknown[] = ['off', 'low', 'medium', 'high'];
const ROLES: readonly unknown[] = ['user', 'assistant', 'system'];

/** A spec in its wire form: the output schema is JSON Schema. */
export type WireRunOptions<Options> = Omit<Options, 'outputSchema'> & {
  readonly outputSchema?: Omit<OutputSchema, 'schema'> & {
    readonly schema: Readonly<Record<string, unknown>>;
  };
};

/** @throws AgentChatError `invalid_options` that names field, limit and value. */
export function checkSpec(spec: WireRunOptions<MantyxSpec>): void {
  const { agentId, systemPrompt, name, modelId, budgets } = spec;
  for (const [field, value] of Object.entries({ agentId, systemPrompt, name, modelId })) {
    assertOptionalText(value, field);
  }
  assertLimit(Boolean(agentId) || Boolean(systemPrompt), 'spec', 'given an agentId or a systemPrompt', {
    agentId,
    systemPrompt,
  });
  if (budgets !== undefined) {
    assertRecord(budgets, 'budgets');
    if (budgets.maxToolTurns !== undefined)
      assertInteger(budgets.maxToolTurns, 1, 100, 'budgets.maxToolTurns');
  }
  checkRunOptions(spec);
}

/** @param inSession true: only `prompt` is allowed, because the session has the earlier messages */
export function checkMessage(message: WireRunOptions<MantyxMessage>, inSession: boolean): void {
  const { prompt, messages } = message;
  assertLimit(
    (prompt === undefined) !== (messages === undefined),
    'message',
    'given exactly one of prompt and messages',
    {
      prompt,
      messages,
    },
  );
  if (messages === undefined) {
    assertText(prompt, 'prompt');
  } else {
    assertLimit(
      !inSession,
      'messages',
      'left out in a session, which remembers them: give a prompt',
      messages,
    );
    assertLimit(
      Array.isArray(messages) && messages.length > 0,
      'messages',
      'a list that is not empty',
      messages,
    );
    for (const [index, entry] of messages.entries()) {
      const holds = isRecord(entry) && ROLES.includes(entry.role) && typeof entry.content === 'string';
      assertLimit(holds, `messages[${index}]`, 'a role (user, assistant, system) and a content', entry);
    }
  }
  checkRunOptions(message);
}

function checkRunOptions(options: WireRunOptions<MantyxMessage>): void {
  const { reasoningLevel, outputSchema, loopDetection, toolBudgets, metadata } = options;
  if (reasoningLevel !== undefined && !REASONING_LEVELS.includes(reasoningLevel)) {
    const holds =
      Number.isInteger(reasoningLevel) && Number(reasoningLevel) >= 0 && Number(reasoningLevel) <= 100;
    assertLimit(
      holds,
      'reasoningLevel',
      'off, low, medium, high or a whole number from 0 to 100',
      reasoningLevel,
    );
  }
  if (outputSchema !== undefined) checkOutputSchema(outputSchema);
  if (loopDetection !== undefined && loopDetection !== false) checkLoopDetection(loopDetection);
  if (toolBudgets !== undefined) checkToolBudgets(toolBudgets);
  if (metadata !== undefined) checkMetadata(metadata);
}

function checkOutputSchema(outputSchema: unknown): void {
  assertRecord(outputSchema, 'outputSchema');
  const { name, schema } = outputSchema;
  if (name !== undefined) assertPattern(name, SCHEMA_NAME, 'outputSchema.name');
  assertRecord(schema, 'outputSchema.schema');
  assertLimit(
    schema.type === undefined || schema.type === 'object',
    'outputSchema.schema.type',
    'object (the root of the answer)',
    schema.type,
  );
  assertBytes(JSON.stringify(outputSchema), 32 * KB, '32 KB', 'outputSchema');
}

function checkLoopDetection(loopDetection: unknown): void {
  assertRecord(loopDetection, 'loopDetection');
  // The platform's defaults.
  const { consecutiveThreshold = 3, hardCutoffThreshold = 6 } = loopDetection;
  assertInteger(consecutiveThreshold, 2, 100, 'loopDetection.consecutiveThreshold');
  assertInteger(hardCutoffThreshold, 3, 100, 'loopDetection.hardCutoffThreshold');
  assertLimit(
    hardCutoffThreshold > consecutiveThreshold,
    'loopDetection.hardCutoffThreshold',
    `more than consecutiveThreshold (${consecutiveThreshold})`,
    hardCutoffThreshold,
  );
}

function checkToolBudgets(toolBudgets: unknown): void {
  assertRecord(toolBudgets, 'toolBudgets');
  const entries = Object.entries(toolBudgets);
  assertLimit(entries.length <= 32, 'toolBudgets', 'at most 32 entries', entries.length);
  for (const [key, budget] of entries) {
    assertLimit(key.length >= 1 && key.length <= 120, 'a key of toolBudgets', '1 to 120 characters', key);
    assertRecord(budget, `toolBudgets.${key}`);
    assertInteger(budget.maxCalls, 0, 1000, `toolBudgets.${key}.maxCalls`);
  }
}

function checkMetadata(metadata: unknown): void {
  assertRecord(metadata, 'metadata');
  const entries = Object.entries(metadata);
  assertLimit(entries.length <= 16, 'metadata', 'at most 16 entries', entries.length);
  for (const [key, value] of entries) {
    assertPattern(key, METADATA_KEY, 'a key of metadata');
    const holds = typeof value === 'string' && value.length <= 256;
    assertLimit(holds, `metadata.${key}`, 'a text of at most 256 characters', value);
  }
  assertBytes(JSON.stringify(metadata), 4 * KB, '4 KB', 'metadata');
}
