/** The longest task of the page while a question with a large text opens, beside the same text in one element. */
import { servePage } from './serve-page.mjs';

const KB_100 = 100_000;
const MB_10 = 10_000_000;
const CASES = [
  ...['argument', 'description', 'option', 'default'].map((place) => ({
    place,
    size: KB_100,
    targetMs: 200,
  })),
  ...['argument', 'default'].map((place) => ({ place, size: MB_10, targetMs: 500 })),
];
/** The observer reports tasks from this length on. */
const UNREPORTED_MS = 50;
/** Pieces of the text go on arriving after the question is there. */
const QUIET_MS = 1_500;
const ROUNDS = 3;

/** @returns one row per case */
export async function measureQuestions(browser) {
  const server = await servePage('large-question.tsx');
  try {
    const rows = [];
    for (const { place, size, targetMs } of CASES) {
      const floorMs = await measureCase(browser, server.url, 'floor', size);
      const longestMs = await measureCase(browser, server.url, place, size);
      rows.push({
        name: `Question, ${size === KB_100 ? '100 kB' : '10 MB'} as ${place}`,
        'longest task ms': Math.round(longestMs),
        'floor ms': Math.round(floorMs),
        'times the floor': Number((longestMs / floorMs).toFixed(1)),
        'target ms': targetMs,
      });
    }
    return rows;
  } finally {
    server.close();
  }
}

/** @returns the median of the rounds */
async function measureCase(browser, url, place, size) {
  const all = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.newPage();
    await page.goto(`${url}?place=${place}&size=${size}`);
    await page.waitForTimeout(200);
    await page.evaluate('ask()');
    // Not until it is visible: the question for that would lay out the text, in a task that nobody reports.
    const shown = page.locator(place === 'floor' ? 'pre' : '[role="dialog"]');
    await shown.waitFor({ state: 'attached', timeout: 120_000 });
    await page.waitForTimeout(QUIET_MS);
    all.push(
      Math.max(
        UNREPORTED_MS,
        await page.evaluate('new Promise((resolve) => setTimeout(() => resolve(readLongestTask()), 300))'),
      ),
    );
    await page.close();
  }
  return all.toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)];
}
