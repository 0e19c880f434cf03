import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKENDS } from '../../create-handrail/choices.mjs';
import { typeCheck } from '../support/create-app.ts';
import { createStarter, startStarter } from '../support/starter.ts';
import { refundByTwo } from './refund-by-two.ts';

/** Those that answer without an account. */
const ANSWER_ALONE = ['ai-sdk'];

// The templates are tested with the scripted backend.
describe.each(Object.keys(BACKENDS).filter((backend) => backend !== 'scripted'))(
  'the backend %s',
  (backend) => {
    let app: string;
    beforeAll(async () => {
      app = await createStarter('vite-node', backend);
    });
    afterAll(() => rmSync(path.dirname(app), { recursive: true, force: true }));

    test('type-checks', async () => {
      expect(await typeCheck(app)).toEqual([]);
    });

    test.runIf(ANSWER_ALONE.includes(backend))(
      'starts without a key, and two people answer its money tool',
      async () => {
        const server = await startStarter(app, 'dev');
        try {
          await refundByTwo(server.url);
        } finally {
          await server.end();
        }
      },
    );
  },
);
