/**
 * Names in NATS: of calls, of consumers and of stored rows. Each is that of one thing alone, whatever characters the ids of projects, tools
 * and calls have, and none is longer than NATS takes. A name that is too long would close the connection, with all calls on it.
 */
import { digestText } from '../../shared/digest-json.ts';

/** Text that may stand in a name as it is. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** The longest part of a claim key that has the form of the platform. */
const MAX_SEGMENT = 128;

/** Returns the text, or a digest of a text that is long or has other characters. Only digests begin with `=`, so no two texts meet. */
export async function toNamePart(text: string): Promise<string> {
  return PLAIN.test(text) ? text : `=${await digestText(text)}`;
}

/** Returns the name of the durable consumer of a service. `project` is `*` for all. */
export async function toConsumerName(target: string, project: string): Promise<string> {
  const name = `utp_${await toNamePart(target)}`;
  return project === '*' ? name : `${name}=${await toNamePart(project)}`;
}

/**
 * Returns the key under which every executor of CommonGround claims a call: `tool.{project}.{domain}.{digest of the call id}`. Characters
 * other than letters, digits, `_` and `-` become `_`, so the calls of the projects `x/a` and `x_a` may meet in it.
 *
 * @param domain the name of the tool, or the target if the command names no tool
 */
export async function toClaimKey(projectId: string, domain: string, toolCallId: string): Promise<string> {
  const parts = [await toSegment(projectId), await toSegment(domain), await digestText(toolCallId)];
  return `tool.${parts.join('.')}`;
}

/** Returns the key of one call alone: its claim key, and a digest of what it names. */
export async function toCallKey(projectId: string, domain: string, toolCallId: string): Promise<string> {
  const claimKey = await toClaimKey(projectId, domain, toolCallId);
  return `${claimKey}.${await digestText(JSON.stringify([projectId, domain, toolCallId]))}`;
}

/** Returns the claim key in the key of a call. */
export function claimKeyOf(callKey: string): string {
  return callKey.split('.').slice(0, 4).join('.');
}

async function toSegment(text: string): Promise<string> {
  const segment = text.replaceAll(/[^A-Za-z0-9_-]+/g, '_') || '_';
  return segment.length > MAX_SEGMENT ? digestText(text) : segment;
}
