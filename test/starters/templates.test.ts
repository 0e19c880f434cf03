import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEMPLATES } from '../../create-handrail/choices.mjs';
import { run, typeCheck } from '../support/create-app.ts';
import { createStarter, startStarter } from '../support/starter.ts';
import { answerAlone, refundByTwo } from './confirm-refund.ts';

describe.each(Object.keys(TEMPLATES))('the template %s', (template) => {
  let app: string;
  let startedAt: number;
  const secondsSoFar = () => Math.round((performance.now() - startedAt) / 1_000);
  let installed: number;
  beforeAll(async () => {
    startedAt = performance.now();
    app = await createStarter(template);
    installed = secondsSoFar();
  });
  afterAll(() => rmSync(path.dirname(app), { recursive: true, force: true }));

  test('starts for development, and two people answer its money tool', async () => {
    const server = await startStarter(app, 'dev');
    try {
      let answered = 0;
      await refundByTwo(server.url, () => {
        answered = secondsSoFar();
      });
      console.log(
        `${template}: ${answered} s from an empty folder to an answered dialog, ${installed} s of them to install`,
      );
    } finally {
      await server.end();
    }
  });

  test('type-checks', async () => {
    expect(await typeCheck(app)).toEqual([]);
  });

  test('builds and starts, and people answer its tools', async () => {
    await run(app, 'npm', 'run', 'build');
    const server = await startStarter(app, 'start');
    try {
      await refundByTwo(server.url);
      await answerAlone(server.url);
    } finally {
      await server.end();
    }
  });
});
