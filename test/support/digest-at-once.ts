import { createHash } from 'node:crypto';
import { vi } from 'vitest';

/**
 * Lets `crypto.subtle.digest` be ready within the same task, for the test that calls this. Node digests in its thread pool: on a busy
 * machine that takes longer than any number of tasks, so a test that counts tasks would see less of a conversation than on a quiet one.
 */
export function digestAtOnce(): void {
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (algorithm, data) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data);
    const name = String(algorithm).replace('-', '').toLowerCase();
    return Uint8Array.from(createHash(name).update(bytes).digest()).buffer;
  });
}
