/** Firefox, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/) over the socket that it opens by itself. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { findFirefox, missingFirefox } from '../../.scripts/find-browsers.mjs';
import { startServerProcess } from '../support/server-process.ts';
import { type TestBrowser, type TestTab, toJsonExpression, toKeyActions } from './test-browser.ts';

type Send = <Result>(method: string, params?: object) => Promise<Result>;

/** @param preferences as `about:config` has them */
export async function launchFirefox(
  preferences: Readonly<Record<string, number>> = {},
): Promise<TestBrowser> {
  const program = findFirefox();
  if (program === undefined) throw new Error(`The tests in Firefox cannot run: ${missingFirefox()}.`);
  const profile = await mkdtemp(path.join(tmpdir(), 'handrail-firefox-'));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(path.join(profile, 'user.js'), lines.join(''));
  const ready = 'WebDriver BiDi listening on ';
  const firefox = await startServerProcess(
    program,
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    ready,
    { env: { ...process.env, HOME: profile } },
  );
  const address = firefox.lines.find((line) => line.includes(ready))?.split(ready)[1];
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const send = createSender(socket);
  await send('session.new', { capabilities: {} });
  return {
    keepsPages: false,
    async openTab(url) {
      const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
      const tab = createTab(send, context);
      await tab.open(url);
      return tab;
    },
    async close() {
      socket.close();
      await firefox.end('SIGKILL');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** Sends commands. Rejects where Firefox replies with an error. */
function createSender(socket: WebSocket): Send {
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  socket.on('message', (data) => {
    const { id = 0, result, error, message } = JSON.parse(String(data)) as Reply;
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(result as never);
    else reject?.(new Error(`Firefox: ${error}: ${message}`));
  });
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}

interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly value: string };
  readonly exceptionDetails?: { readonly text: string };
}

function createTab(send: Send, context: string): TestTab {
  const traverse = async (delta: number) => {
    await send('browsingContext.traverseHistory', { context, delta });
  };
  return {
    async evaluate(expression) {
      const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', {
        expression: toJsonExpression(expression),
        target: { context },
        awaitPromise: true,
      });
      if (result === undefined) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value);
    },
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async reload() {
      await send('browsingContext.reload', { context, wait: 'complete' });
    },
    back: () => traverse(-1),
    forward: () => traverse(1),
    async press(keys) {
      await send('input.performActions', { context, actions: toKeyActions(keys) });
    },
    async show() {
      await send('browsingContext.activate', { context });
    },
    async close() {
      await send('browsingContext.close', { context });
    },
  };
}
