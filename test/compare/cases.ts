/** What can go wrong between a question and its answer, as public bug reports of chat libraries tell it. */
import type { Page } from 'playwright';
import type { Stage } from './open-library.ts';

/**
 * - `kept`: it ended as the person wanted, by itself
 * - `by hand`: it did so after the person pressed "Try again"
 * - `lost`: an answer, a text or a question is gone
 * - `doubled`: something happened twice
 * - `hangs`: the page waits for ever, or shows no end
 * - `not offered`: the library has no way to do it
 */
export type Verdict = 'kept' | 'by hand' | 'lost' | 'doubled' | 'hangs' | 'not offered';

export interface Case {
  readonly name: string;
  /** Says what has to come of it. */
  readonly expects: string;
  play(stage: Stage): Promise<Verdict>;
}

/** How long a person waits before they call it hanging. */
const PATIENCE_MS = 8_000;

export const CASES: readonly Case[] = [
  {
    name: 'reload while a question is open',
    expects: 'it is asked again, and one yes pays once',
    async play(stage) {
      const page = await ask(stage);
      await page.reload();
      if (!(await isAsked(page))) return 'lost';
      await allow(page);
      return judgePayment(stage, page);
    },
  },
  {
    name: 'double click on Allow',
    expects: 'one payment',
    async play(stage) {
      const page = await ask(stage);
      await page.getByRole('button', { name: 'Allow' }).first().dblclick();
      return judgePayment(stage, page);
    },
  },
  {
    name: 'Allow, then reload at once',
    expects: 'one payment, and its result on the page',
    async play(stage) {
      const page = await ask(stage);
      await allow(page);
      await page.reload();
      return judgePayment(stage, page);
    },
  },
  {
    name: 'two tabs allow at once',
    expects: 'one payment',
    async play(stage) {
      const first = await ask(stage);
      const second = await stage.openTab();
      if (!(await isAsked(second))) return 'lost';
      await Promise.all([allowAtOnce(first), allowAtOnce(second)]);
      return judgePayment(stage, first);
    },
  },
  {
    name: 'a second tab, after the first has allowed',
    expects: 'its question closes, or its no changes nothing',
    async play(stage) {
      const first = await ask(stage);
      const second = await stage.openTab();
      if (!(await isAsked(second))) return 'lost';
      await allow(first);
      if (!(await sees(first, 'Result: paid'))) return 'hangs';
      await stage.untilQuiet();
      await second.evaluate(() => {
        const buttons = [...document.querySelectorAll('button')];
        buttons.find(({ textContent }) => textContent === 'Decline')?.click();
      });
      await stage.untilQuiet();
      return stage.state.told.length > 1 ? 'doubled' : 'kept';
    },
  },
  {
    name: 'another device answers',
    expects: 'it sees the question, and its yes pays once',
    async play(stage) {
      await ask(stage);
      const device = await stage.openDevice();
      if (!(await isAsked(device))) return 'lost';
      await allow(device);
      return judgePayment(stage, device);
    },
  },
  {
    name: 'the first device, after another one has answered',
    expects: 'shows the result without a reload',
    async play(stage) {
      const page = await ask(stage);
      const device = await stage.openDevice();
      if (!(await isAsked(device))) return 'lost';
      await allow(device);
      if (!(await sees(device, 'Result: paid'))) return 'hangs';
      return (await sees(page, 'Result: paid')) ? 'kept' : 'lost';
    },
  },
  {
    name: 'Allow while offline',
    expects: 'the answer goes out once the network is back',
    async play(stage) {
      const page = await ask(stage);
      await stage.setOffline(true);
      await allow(page);
      await stage.untilQuiet();
      await stage.setOffline(false);
      return judgePayment(stage, page);
    },
  },
  {
    name: 'the response to Allow is lost',
    expects: 'one payment, and its result on the page',
    async play(stage) {
      const page = await ask(stage);
      stage.loseNextResponse();
      await allow(page);
      return judgePayment(stage, page);
    },
  },
  {
    name: 'the server restarts between question and answer',
    expects: 'one yes pays once',
    async play(stage) {
      const page = await ask(stage);
      await stage.restart();
      await allow(page);
      return judgePayment(stage, page);
    },
  },
  {
    name: 'the connection is cut in the middle of a text',
    expects: 'the whole text, once',
    async play(stage) {
      const page = await stage.openTab();
      await send(page, 'Talk');
      if (!(await sees(page, 'One two'))) return 'hangs';
      stage.cut();
      stage.state.gate.open();
      const byItself = await sees(page, 'three four.');
      if (!byItself && !((await triesAgain(page)) && (await sees(page, 'three four.')))) return 'lost';
      const texts = (await page.locator('li').allTextContents()).join(' ');
      if (texts.split('One two').length > 2) return 'doubled';
      return byItself ? 'kept' : 'by hand';
    },
  },
  {
    name: 'reload in the middle of a text',
    expects: 'the whole text, once',
    async play(stage) {
      const page = await stage.openTab();
      await send(page, 'Talk');
      if (!(await sees(page, 'One two'))) return 'hangs';
      await page.reload();
      await page.getByLabel('Message').waitFor();
      stage.state.gate.open();
      if (!(await sees(page, 'three four.'))) return 'lost';
      const texts = (await page.locator('li').allTextContents()).join(' ');
      return texts.split('One two').length > 2 ? 'doubled' : 'kept';
    },
  },
  {
    name: 'a message while a question is open',
    expects: 'it is answered, and nothing is paid',
    async play(stage) {
      const page = await ask(stage);
      await send(page, 'Hi');
      if (!(await sees(page, 'Hello.'))) return 'hangs';
      return stage.state.paid.length > 0 ? 'doubled' : 'kept';
    },
  },
  {
    name: 'Stop over an open question, then a message',
    expects: 'the question is gone, and the message is answered',
    async play(stage) {
      const page = await ask(stage);
      await page.getByRole('button', { name: 'Stop' }).click();
      await send(page, 'Hi');
      if (!(await sees(page, 'Hello.'))) return 'hangs';
      return (await page.locator('fieldset').count()) > 0 ? 'lost' : 'kept';
    },
  },
  {
    name: 'the events of a question arrive twice',
    expects: 'one question, one payment',
    async play(stage) {
      stage.doubleQuestions();
      const page = await ask(stage);
      if ((await page.locator('fieldset').count()) > 1) return 'doubled';
      await allow(page);
      return judgePayment(stage, page);
    },
  },
  {
    name: 'the model writes arguments that do not fit',
    expects: 'nobody is asked, and the model is told',
    async play(stage) {
      const page = await stage.openTab();
      await send(page, 'Wrong');
      if (await sees(page, 'Result: ')) return stage.state.paid.length > 0 ? 'doubled' : 'kept';
      return (await page.locator('fieldset').count()) > 0 ? 'lost' : 'hangs';
    },
  },
  {
    name: 'the person corrects the arguments',
    expects: 'the corrected amount is paid',
    async play(stage) {
      const page = await ask(stage);
      const button = page.getByRole('button', { name: 'Allow with 2' });
      if ((await button.count()) === 0) return 'not offered';
      await button.click();
      await sees(page, 'Result: ');
      return stage.state.paid[0]?.amount === 2 ? 'kept' : 'lost';
    },
  },
];

/** Opens the page, and lets the agent ask for a payment. */
async function ask(stage: Stage): Promise<Page> {
  const page = await stage.openTab();
  await send(page, 'Pay');
  if (!(await isAsked(page))) throw new Error('The page shows no question, so the case cannot begin.');
  await page.locator('main[data-still=true]').waitFor();
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

function allow(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Allow', exact: true }).first().click();
}

/** Presses in the same moment as another page: it does not wait until the button is at rest. The other page may have closed the question. */
async function allowAtOnce(page: Page): Promise<void> {
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent === 'Allow')?.click();
  });
}

async function judgePayment({ state, untilQuiet }: Stage, page: Page): Promise<Verdict> {
  const byItself = await sees(page, 'Result: paid');
  const isShown = byItself || ((await triesAgain(page)) && (await sees(page, 'Result: paid')));
  await untilQuiet();
  if (state.paid.length > 1) return 'doubled';
  if (state.paid.length === 0) return 'lost';
  if (!isShown) return 'hangs';
  return byItself ? 'kept' : 'by hand';
}

/** Presses "Try again", and says whether the page has such a button. */
async function triesAgain(page: Page): Promise<boolean> {
  const button = page.getByRole('button', { name: 'Try again' });
  if ((await button.count()) === 0) return false;
  await button.click();
  return true;
}

const isAsked = (page: Page) => appears(page.locator('fieldset').first());
const sees = (page: Page, text: string) => appears(page.locator('li').filter({ hasText: text }).first());

async function appears(locator: ReturnType<Page['locator']>): Promise<boolean> {
  return locator.waitFor({ timeout: PATIENCE_MS }).then(
    () => true,
    () => false,
  );
}
