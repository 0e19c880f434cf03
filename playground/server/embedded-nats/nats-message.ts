/** A message of NATS, as clients publish and receive it. */
export interface NatsMessage {
  readonly subject: string;
  readonly reply?: string | undefined;
  /** The whole header block: `NATS/1.0`, a line for each header, and an empty line. */
  readonly headers?: string | undefined;
  readonly data: Buffer;
}

export const NO_DATA = Buffer.alloc(0);

/** Creates a message of a status, such as `404 Message Not Found`, and headers. */
export function createStatusMessage(
  subject: string,
  status: string,
  fields: Readonly<Record<string, unknown>> = {},
): NatsMessage {
  return { subject, headers: addHeaders(`NATS/1.0 ${status}\r\n\r\n`, fields), data: NO_DATA };
}

export function createJsonMessage(subject: string, value: unknown): NatsMessage {
  return { subject, data: Buffer.from(JSON.stringify(value)) };
}

/** Adds headers at the end of a header block. */
export function addHeaders(
  block = 'NATS/1.0\r\n\r\n',
  fields: Readonly<Record<string, unknown>> = {},
): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${block.slice(0, -2)}${lines.join('')}\r\n`;
}

/** Returns the value of a header. NATS compares names with their case. */
export function readHeader({ headers = '' }: NatsMessage, name: string): string | undefined {
  const line = headers.split('\r\n').find((candidate) => candidate.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

/** Encodes the message for a subscription with this id. */
export function encodeMessage({ subject, reply, headers, data }: NatsMessage, id: string): Buffer {
  const route = [subject, id, ...(reply === undefined ? [] : [reply])].join(' ');
  if (headers === undefined) {
    return Buffer.concat([Buffer.from(`MSG ${route} ${data.length}\r\n`), data, Buffer.from('\r\n')]);
  }
  const block = Buffer.from(headers);
  const sizes = `${block.length} ${block.length + data.length}`;
  return Buffer.concat([Buffer.from(`HMSG ${route} ${sizes}\r\n`), block, data, Buffer.from('\r\n')]);
}
