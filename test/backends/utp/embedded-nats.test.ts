import { beforeAll, describe, expect, test } from 'vitest';
import { CommandReader } from '../../../playground/server/embedded-nats/command-reader.ts';
import { startEmbeddedNats } from '../../../playground/server/embedded-nats.ts';
import { testNats } from './support/nats-tests.ts';

describe('the embedded NATS server', () => {
  let url = '';
  beforeAll(async () => {
    const server = await startEmbeddedNats();
    url = server.url;
    return () => server.stop();
  });

  testNats(() => url);

  test('reads commands that arrive byte by byte', () => {
    const bytes = Buffer.from(
      [
        'CONNECT {"verbose":false}',
        'PING',
        'SUB news.> 7',
        'UNSUB 7 2',
        'PUB news.a 0',
        '',
        'PUB news.a inbox 6',
        'a\r\nPUB',
        'HPUB news.a inbox 22 26',
        'NATS/1.0\r\nName: ä\r\n\r\ntext',
        '',
      ].join('\r\n'),
    );
    const readAll = (chunks: readonly Buffer[]) => {
      const reader = new CommandReader();
      return chunks.flatMap((chunk) => [...reader.read(chunk)]);
    };
    const whole = readAll([bytes]);
    expect(readAll([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
    expect(whole.slice(1)).toEqual([
      { verb: 'ping' },
      { verb: 'subscribe', filter: 'news.>', id: '7' },
      { verb: 'unsubscribe', id: '7', after: 2 },
      { verb: 'publish', message: { subject: 'news.a', data: Buffer.alloc(0) } },
      { verb: 'publish', message: { subject: 'news.a', reply: 'inbox', data: Buffer.from('a\r\nPUB') } },
      {
        verb: 'publish',
        message: {
          subject: 'news.a',
          reply: 'inbox',
          headers: 'NATS/1.0\r\nName: ä\r\n\r\n',
          data: Buffer.from('text'),
        },
      },
    ]);
  });
});
