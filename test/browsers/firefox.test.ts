import { describe, expect, test } from 'vitest';
import { confirm, drivePlayground, order } from './drive-playground.ts';
import { launchFirefox } from './firefox.ts';
import { testPlayground } from './test-playground.ts';

testPlayground(() => launchFirefox());

describe('with its storage blocked', () => {
  const { newAddress, openTab, expectOneOrder } = drivePlayground(() =>
    launchFirefox({ 'network.cookie.cookieBehavior': 2 }),
  );
  const kindOfFailure = (name: string) =>
    `(() => { try { return typeof ${name}; } catch (thrown) { return thrown.name; } })()`;

  test('an open question is there again after a reload, from the server, and is answered once', async () => {
    const address = newAddress();
    const tab = await openTab(address);
    for (const name of ['localStorage', 'sessionStorage'])
      expect(await tab.evaluate(kindOfFailure(name))).toBe('SecurityError');
    await order(tab);
    await tab.reload();
    await confirm(tab);
    await expectOneOrder(address, tab);
  });
});
