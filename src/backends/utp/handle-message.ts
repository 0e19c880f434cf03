/** Answers one message of the command stream, and acknowledges it when it needs no redelivery. */
import type { JsMsg } from '@nats-io/jetstream';
import type { Clock } from '../../shared/clock.ts';
import type { ToolCommand } from './call.ts';
import { RENEW_MS } from './claim.ts';
import { readCommand, type ServiceScope } from './read-command.ts';
import { StepFailure, type UtpFailureListener } from './step-failure.ts';
import { every, retryDelay } from './timing.ts';

export interface MessageSettings extends ServiceScope {
  readonly clock: Clock;
  readonly onFailure: UtpFailureListener;
  readonly execute: (command: ToolCommand) => Promise<void>;
}

/** Never rejects: a message that failed is delivered again. */
export async function handleMessage(settings: MessageSettings, message: JsMsg): Promise<void> {
  const { clock, onFailure, execute } = settings;
  const { subject } = message;
  let command: ToolCommand;
  try {
    command = readCommand(message, settings);
  } catch (thrown) {
    onFailure(thrown, { step: 'receive', subject });
    trySend(() => message.term());
    return;
  }
  const stopSigns = every(clock, RENEW_MS, () => trySend(() => message.working()));
  try {
    await execute(command);
    trySend(() => message.ack());
  } catch (thrown) {
    const [step, cause] =
      thrown instanceof StepFailure ? [thrown.step, thrown.cause] : (['execute', thrown] as const);
    const { projectId, toolCallId } = command.identity;
    onFailure(cause, { step, subject, projectId, toolCallId });
    trySend(() => message.nak(retryDelay(message.info.deliveryCount)));
  } finally {
    stopSigns();
  }
}

/** An acknowledgement that cannot be sent is worth no failure: the message comes again, and its claim says what to do. */
function trySend(send: () => void): void {
  try {
    send();
  } catch {
    // The connection is closed.
  }
}
