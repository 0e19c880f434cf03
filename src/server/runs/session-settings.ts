import type { Clock } from '../../shared/clock.ts';
import type { Agent } from '../agent.ts';
import type { ClientToolRule } from '../client-tool-rule.ts';
import type { MayOpen } from '../open-rule.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { FailureListener } from '../report-failure.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TraceSession } from '../store/session-trace.ts';
import type { RedactStored } from '../store/stored-form.ts';
import type { MayAnswer, ServerTools } from '../tools/server-tool.ts';

/** The options of a session with their defaults filled in. */
export interface SessionSettings {
  readonly id: string;
  readonly agent: Agent;
  readonly tools: ServerTools;
  readonly store: SessionStore;
  readonly redactStored: RedactStored | undefined;
  readonly maxToolRounds: number;
  readonly mayAnswer: MayAnswer | undefined;
  readonly mayOpen: MayOpen | undefined;
  readonly receipts: Receipts | undefined;
  readonly clientTools: ClientToolRule | undefined;
  readonly onError: FailureListener | undefined;
  readonly trace: TraceSession;
  readonly clock: Clock;
  createId(): string;
}
