/** An error of the JetStream API, by the numbers of nats-server (`server/errors.json`). */
export class JetStreamError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }

  /** The `error` of an answer, by its names on the wire. */
  toWire() {
    return { code: this.status, err_code: this.code, description: this.message };
  }
}

export const streamNotFound = () => new JetStreamError(404, 10059, 'stream not found');
export const streamNameInUse = () =>
  new JetStreamError(400, 10058, 'stream name already in use with a different configuration');
export const consumerNotFound = () => new JetStreamError(404, 10014, 'consumer not found');
export const consumerNameInUse = () => new JetStreamError(400, 10148, 'consumer already exists');
export const messageNotFound = () => new JetStreamError(404, 10037, 'no message found');
export const wrongLastSequence = (sequence: number) =>
  new JetStreamError(400, 10071, `wrong last sequence: ${sequence}`);
export const notSupported = (what: string) =>
  new JetStreamError(501, 10052, `the embedded NATS server does not support ${what}`);
