/** Reads a NATS message as a tool command. */
import type { JsMsg } from '@nats-io/jetstream';
import type { CommandPayload, ToolCommand } from './call.ts';
import { checkPayload } from './check-payload.ts';
import { readIdentity, toHeaderRecord } from './headers.ts';
import { parseSubject } from './subject.ts';
import { UtpToolError } from './tool-error.ts';

/** The parts of a message that make a command. */
export type CommandMessage = Pick<JsMsg, 'subject' | 'headers' | 'string'>;

/** The commands of one service: those to its target, in its projects. Undefined: in all projects. */
export interface ServiceScope {
  readonly target: string;
  readonly projects?: readonly string[] | undefined;
}

/** Returns true for the calls of a project that the service has. */
export function isInScope({ projects }: Pick<ServiceScope, 'projects'>, projectId: string): boolean {
  return projects === undefined || projects.includes(projectId);
}

/**
 * Returns the command. A payload that breaks the protocol becomes an error in it, because the call can still be answered.
 *
 * @throws UtpToolError `bad_request` if the subject is not for this service, or the headers do not say whom to answer.
 */
export function readCommand(message: CommandMessage, { target, projects }: ServiceScope): ToolCommand {
  const subject = parseSubject(message.subject);
  if (subject?.category !== 'cmd' || subject.component !== 'tool' || subject.target !== target) {
    throw new UtpToolError(
      'bad_request',
      `${message.subject} is no subject for commands of the tool ${target}.`,
    );
  }
  if (!isInScope({ projects }, subject.projectId)) {
    throw new UtpToolError(
      'bad_request',
      `${message.subject} is a command of another project than ${projects?.join(', ')}, which this service serves.`,
    );
  }
  const headers = toHeaderRecord(message.headers);
  return {
    subject,
    headers,
    identity: readIdentity(headers, subject),
    payload: readPayload(message),
  };
}

function readPayload(message: CommandMessage): CommandPayload | UtpToolError {
  try {
    return checkPayload(message.string());
  } catch (thrown) {
    if (thrown instanceof UtpToolError) return thrown;
    throw thrown;
  }
}
