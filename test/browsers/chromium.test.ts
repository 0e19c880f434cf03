import { describe, expect, test } from 'vitest';
import { PLAIN_HOST } from '../e2e/serve-playground.ts';
import { launchChromium } from './chromium.ts';
import { ARMED, confirm, drivePlayground, order } from './drive-playground.ts';
import { until } from './test-browser.ts';
import { testPlayground } from './test-playground.ts';

testPlayground(() => launchChromium());

describe('over plain http, where there are no Web Locks', () => {
  const launch = () => launchChromium(`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`);
  const { newAddress, openTab, expectOneOrder } = drivePlayground(launch, PLAIN_HOST);

  test('two tabs, each on its own, place one order for one answer', async () => {
    const address = newAddress();
    const first = await openTab(address);
    expect(await first.evaluate('[isSecureContext, typeof navigator.locks]')).toEqual([false, 'undefined']);
    const second = await openTab(address);
    await first.show();
    await order(first);
    await until(second, ARMED);
    await second.show();
    await confirm(second);
    await expectOneOrder(address, first, second);
  });
});
