/** NATS subjects of UTP (CommonGround v1r4): `cg.{version}.{project}.{channel}.{category}.{component}.{target}.{suffix}`. */
import { UtpToolError } from './tool-error.ts';

/** The version of the protocol, which is a token of every subject. */
export const PROTOCOL_VERSION = 'v1r4';

/** The JetStream stream that holds every command for 24 hours. CommonGround creates it. */
export const COMMAND_STREAM = `cg_cmd_${PROTOCOL_VERSION}`;

/** The JetStream stream that holds every event for seven days. CommonGround creates it. */
export const EVENT_STREAM = `cg_evt_${PROTOCOL_VERSION}`;

/** The parts of a subject after its version. */
export interface Subject {
  readonly projectId: string;
  /** A visibility domain: `public`, `u_{user}` or `t_{thread}`. */
  readonly channelId: string;
  readonly category: string;
  readonly component: string;
  readonly target: string;
  /** May contain dots. */
  readonly suffix: string;
}

/** A token may not be empty and may not contain what separates tokens or matches several of them. */
const TOKEN = /^[^\s.*>]+$/;

/** Returns true if the text can be one token of a subject. */
export function isSubjectToken(text: unknown): text is string {
  return typeof text === 'string' && TOKEN.test(text);
}

/** Returns the parts of a subject of this version, or undefined for any other text. */
export function parseSubject(text: string): Subject | undefined {
  const [root, version, projectId, channelId, category, component, target, ...suffix] = text.split('.');
  const isOurs = root === 'cg' && version === PROTOCOL_VERSION;
  if (!isOurs || !projectId || !channelId || !category || !component || !target) return undefined;
  if (suffix.length === 0 || suffix.includes('')) return undefined;
  return { projectId, channelId, category, component, target, suffix: suffix.join('.') };
}

/** Returns the text of a subject. @throws UtpToolError `bad_request` if a part is not a token, for example because it has a dot. */
export function formatSubject(subject: Subject): string {
  const { projectId, channelId, category, component, target, suffix } = subject;
  const tokens = [projectId, channelId, category, component, target, ...suffix.split('.')];
  const wrong = tokens.find((token) => !isSubjectToken(token));
  if (wrong !== undefined) {
    throw new UtpToolError(
      'bad_request',
      `"${wrong}" cannot be a token of a NATS subject: a token is not empty and has no space, ".", "*" or ">".`,
    );
  }
  return `cg.${PROTOCOL_VERSION}.${tokens.join('.')}`;
}

/** Returns the filter for the commands of one tool service, of one project or of all (`*`). */
export function toolCommandFilter(target: string, project: string): string {
  return `cg.${PROTOCOL_VERSION}.${project}.*.cmd.tool.${target}.>`;
}

/** Returns the filter for the events of a channel. A consumer has one filter: several need NATS 2.10. */
export function channelEventFilter(projectId: string, channelId: string): string {
  return `cg.${PROTOCOL_VERSION}.${projectId}.${channelId}.evt.*.*.>`;
}
