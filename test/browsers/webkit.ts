/** WebKit, the engine of Safari, driven by WebDriver (https://www.w3.org/TR/webdriver2/): MiniBrowser on a display of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { vi } from 'vitest';
import { findWebKit, missingWebKit } from '../../.scripts/find-browsers.mjs';
import { type TestBrowser, type TestTab, toJsonExpression, toKeyActions } from './test-browser.ts';

type Call = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Result>;

export async function launchWebKit(): Promise<TestBrowser> {
  const programs = findWebKit();
  if (programs === undefined) throw new Error(`The tests in WebKit cannot run: ${missingWebKit()}.`);
  const xvfb = spawn(programs.xvfb, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = String((await once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data'))[0]).trim();
  const port = await findPort();
  const driver = spawn(programs.driver, ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      // Containers have neither user namespaces for the sandbox of WebKit nor a GPU.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
  });
  const call = createCaller(`http://127.0.0.1:${port}`);
  await vi.waitUntil(() => call('GET', '/status').catch(() => false), { timeout: 20_000 });
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: programs.miniBrowser, args: ['--automation'] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  const first = await call<string>('GET', `${session}/window`);
  return {
    keepsPages: true,
    async openTab(url) {
      // The window of the tab before may be closed, and a command needs one.
      await call('POST', `${session}/window`, { handle: first });
      const { handle } = await call<{ handle: string }>('POST', `${session}/window/new`, { type: 'window' });
      const tab = createTab(call, session, handle);
      await tab.open(url);
      return tab;
    },
    async close() {
      await call('DELETE', session);
      await Promise.all([end(driver), end(xvfb)]);
    },
  };
}

function createCaller(base: string): Call {
  return async (method, path, body) => {
    const response = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebKitWebDriver: ${value?.error}: ${value?.message}`);
    return value;
  };
}

function createTab(call: Call, session: string, handle: string): TestTab {
  /** Commands go to the window that was switched to last. */
  const send = async <Result>(path: string, body: object = {}) => {
    await call('POST', `${session}/window`, { handle });
    return call<Result>('POST', session + path, body);
  };
  return {
    async evaluate(expression) {
      const script = `const done = arguments[0]; ${toJsonExpression(expression)}.then(done, (error) => done({ error: String(error) }));`;
      const value = await send<string | { error: string }>('/execute/async', { script, args: [] });
      if (typeof value !== 'string') throw new Error(value.error);
      return JSON.parse(value);
    },
    open: (url) => send('/url', { url }),
    reload: () => send('/refresh'),
    back: () => send('/back'),
    forward: () => send('/forward'),
    press: (keys) => send('/actions', { actions: toKeyActions(keys) }),
    async show() {
      await call('POST', `${session}/window`, { handle });
    },
    async close() {
      await call('POST', `${session}/window`, { handle });
      await call('DELETE', `${session}/window`);
    },
  };
}

/** WebKitWebDriver does not choose a port by itself. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
