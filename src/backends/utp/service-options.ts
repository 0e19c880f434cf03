/** The options of a tool service, and their check: a mistake shows when the service is created, not at the first call. */
import type { NatsConnection } from '@nats-io/nats-core';
import type { Clock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import type { CardStore } from './cards.ts';
import type { L0 } from './l0.ts';
import type { PendingCalls } from './pending-calls.ts';
import type { UtpFailureListener } from './step-failure.ts';
import { isSubjectToken } from './subject.ts';
import type { UtpTools } from './utp-tool.ts';

/** Options of `createUtpToolService`. */
export interface UtpToolServiceOptions {
  /** A connection of `@nats-io/transport-node`, or of `wsconnect`. The service does not close it. */
  readonly nats: NatsConnection;
  readonly cards: CardStore;
  readonly l0: L0;
  /** The token of the tools' `target_subject`: `hitl` for `cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl.call`. */
  readonly target: string;
  readonly tools: UtpTools;
  /** The projects whose commands the service takes. Default: all. */
  readonly projects?: readonly string[];
  /** Stores the calls that wait for a person. Default: the KV bucket `handrail_utp_pending_v1`. */
  readonly pending?: PendingCalls;
  /** Called with everything that went wrong, for your logs. The service goes on in any case. */
  readonly onError?: UtpFailureListener;
  readonly clock?: Clock;
  /** Makes the ids of result cards. Default: random. */
  readonly createId?: () => string;
}

/** @throws AgentChatError `invalid_options` that names the option and the fix. */
export function checkServiceOptions(options: Partial<UtpToolServiceOptions>): void {
  const { nats, cards, l0, target, tools, projects = [] } = options ?? {};
  if (!isRecord(nats))
    fail('nats must be a NATS connection, as connect() of @nats-io/transport-node returns it');
  if (typeof cards?.saveResult !== 'function') fail('cards must be a CardStore');
  if (typeof l0?.report !== 'function') fail('l0 must be an L0 with the method report');
  // KV keys and names of consumers allow fewer characters than subjects.
  if (typeof target !== 'string' || !/^[\w-]+$/.test(target)) {
    fail(
      `target must be the token of your subjects, made of letters, digits, "_" and "-", not ${JSON.stringify(target)}`,
    );
  }
  if (!Array.isArray(projects) || !projects.every(isSubjectToken)) {
    fail('projects must be an array of project ids, each one token of a NATS subject');
  }
  if (!isRecord(tools)) fail('tools must be an object of tools by name');
  for (const [name, tool] of Object.entries(tools ?? {})) checkTool(name, tool);
}

function checkTool(name: string, tool: unknown): void {
  if (typeof tool === 'function') return;
  if (!isRecord(tool) || tool.interactive !== true) {
    fail(`tools['${name}'] must be a function, or { interactive: true } for a call that a person answers`);
  }
  const { timeoutMs = 1 } = tool as { timeoutMs?: unknown };
  // NaN would be a limit that no time reaches.
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    fail(`timeoutMs of tools['${name}'] must be a number of milliseconds above 0, not ${String(timeoutMs)}`);
  }
}

function fail(message: string): never {
  throw invalidOptions(`createUtpToolService: ${message}.`);
}
