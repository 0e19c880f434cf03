/** The paths of a person through the playground, the same for each browser. */
import { describe, expect, test } from 'vitest';
import { ELSEWHERE } from '../e2e/serve-playground.ts';
import { ARMED, confirm, drivePlayground, order } from './drive-playground.ts';
import { type TestBrowser, type TestTab, until } from './test-browser.ts';

/** @param launch starts the browser, once for the tests of a file */
export function testPlayground(launch: () => Promise<TestBrowser>): void {
  const { newAddress, openTab, closeTab, show, leave, comeBack, expectOneOrder, countOpen } =
    drivePlayground(launch);

  describe.each(['sse', 'socket'] as const)('over %s', (carrier) => {
    test('an order goes from start to finish by keyboard', async () => {
      const address = newAddress(carrier);
      const tab = await openTab(address);
      await tab.evaluate('window.isSame = true');
      await order(tab);
      await confirm(tab);
      await expectOneOrder(address, tab);
      // A form that the browser submits would load the page anew.
      expect(await tab.evaluate('window.isSame === true')).toBe(true);
    });

    test('an open question is there again after a reload, and is answered once', async () => {
      const address = newAddress(carrier);
      const tab = await openTab(address);
      await order(tab);
      await tab.reload();
      await confirm(tab);
      await expectOneOrder(address, tab);
    });

    test('an open question is there again when the person comes back and goes forward, and is answered once', async () => {
      const address = newAddress(carrier);
      const tab = await openTab(address);
      await order(tab);
      await leave(tab);
      await comeBack(tab);
      await tab.forward();
      await until(tab, `location.pathname === '${ELSEWHERE}'`);
      await comeBack(tab);
      await confirm(tab);
      await expectOneOrder(address, tab);
    });
  });

  test('another tab takes over when the owner tab is closed over an open question', async () => {
    const address = newAddress();
    const first = await openTab(address);
    const second = await openTab(address);
    await first.show();
    await order(first);
    await until(second, ARMED);
    await closeTab(first);
    await second.show();
    await confirm(second);
    await expectOneOrder(address, second);
  });

  test('an owner tab that was left follows the other tab when the person comes back, and shows what it has begun', async () => {
    const address = newAddress();
    const first = await openTab(address);
    const second = await openTab(address);
    await first.show();
    await leave(first);
    await second.show();
    await order(second);
    await first.show();
    await comeBack(first);
    await until(first, ARMED);
    // The inbox of each page, and the conversation of the one that owns it.
    await expect.poll(() => countOpen(), { timeout: 20_000 }).toBe(3);
    await confirm(first);
    await expectOneOrder(address, first, second);
  });

  test('pages that were left hold no response open, so that the next page loads', async () => {
    let tab: TestTab | undefined;
    for (let page = 0; page < 8; page += 1) {
      tab ??= await openTab(newAddress());
      if (page > 0) await show(tab, newAddress());
      await order(tab);
      await leave(tab);
      await expect.poll(() => countOpen(), { timeout: 20_000 }).toBe(0);
    }
  });
}
