import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKENDS } from '../../create-handrail/choices.mjs';
import { typeCheck } from '../support/create-app.ts';
import { createStarter, startStarter } from '../support/starter.ts';
import { refundByOne, refundByTwo } from './confirm-refund.ts';
import { STAND_INS } from './stand-ins.ts';

// The templates are tested with the scripted backend.
const OTHERS = Object.keys(BACKENDS).filter((backend) => backend !== 'scripted');

describe.each(OTHERS)('the backend %s', (backend) => {
  const createStandIn = STAND_INS[backend];
  let app: string;
  beforeAll(async () => {
    app = await createStarter('vite-node', backend);
  });
  afterAll(() => rmSync(path.dirname(app), { recursive: true, force: true }));

  test('type-checks', async () => {
    expect(await typeCheck(app)).toEqual([]);
  });

  test('brings the answer of a person to its agent', async () => {
    const standIn = await createStandIn?.();
    const server = await startStarter(app, 'dev', standIn?.variables);
    try {
      // Without a platform of its own it has the server of handrail, with the inbox.
      await (standIn === undefined ? refundByTwo(server.url) : refundByOne(server.url));
    } finally {
      await server.end();
      await standIn?.close();
    }
  });
});
