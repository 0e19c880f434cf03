/**
 * The playground's components in Chromium, while an answer streams to them over a real connection and somebody types.
 *
 * Long tasks and slow frames count from the message on. Typing is measured as the web's INP: the 98th percentile of
 * the time from a key to the paint after it, with what is under 16 ms counted as 16.
 */
import { chromium } from 'playwright';
import { findChromium } from '../../../.scripts/find-chromium.mjs';
import { measureQuestions } from './measure-questions.mjs';
import { servePage } from './serve-page.mjs';

const PER_SECOND = 200;
const FAST = 1_000_000;
const CASES = [
  // Seven events, and eight seconds to type in: what the machine does by itself.
  { name: 'Next to nothing arrives, typing', workload: 'text', size: 2, perSecond: 0.75 },
  { name: 'Text, 200 deltas/s, typing', workload: 'text', size: 1_600, perSecond: PER_SECOND },
  { name: 'Tool input, 200 deltas/s, typing', workload: 'tool-input', size: 12, perSecond: PER_SECOND },
  { name: 'Text, 20,000 deltas at once', workload: 'text', size: 20_000, perSecond: FAST },
  { name: 'Tool input, 120 kB at once', workload: 'tool-input', size: 120, perSecond: FAST },
];
const KEY_EVERY_MS = 80;
const UNREPORTED_MS = 16;
/** Fewer say nothing about typing. */
const FEWEST_KEYS = 20;

/** @returns one row per case */
export async function measureBrowser() {
  const server = await servePage();
  const executablePath = findChromium();
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];
  const browser = await chromium.launch(executablePath === undefined ? { args } : { executablePath, args });
  try {
    const rows = [];
    for (const one of CASES) rows.push({ name: one.name, ...(await measureCase(browser, server.url, one)) });
    return [...rows, ...(await measureQuestions(browser))];
  } finally {
    await browser.close();
    server.close();
  }
}

async function measureCase(browser, url, { workload, size, perSecond }) {
  const page = await browser.newPage();
  const failures = [];
  page.on('pageerror', (error) => failures.push(error));
  await page.goto(`${url}?workload=${workload}&size=${size}&perSecond=${perSecond}`);
  const devtools = await page.context().newCDPSession(page);
  // CPU of the main thread instead of the time that went by.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(devtools);

  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill('Go');
  const begun = performance.now();
  await composer.press('Enter');
  const finished = page.locator('[data-role="assistant"][data-status="done"]').waitFor({ timeout: 120_000 });
  let done = false;
  const untilDone = finished.finally(() => {
    done = true;
  });
  let keys = 0;
  while (!done) {
    await page.keyboard.press(keys % 6 === 5 ? 'Space' : 'a');
    keys += 1;
    await page.waitForTimeout(KEY_EVERY_MS);
  }
  await untilDone;
  const wallMs = performance.now() - begun;

  const after = await metrics(devtools);
  const { longTasks, longTaskMs, slowFrames, worstFrameMs, interactions } =
    await page.evaluate('globalThis.smoothness');
  await page.close();
  if (failures.length > 0) throw failures[0];
  return {
    'wall ms': Math.round(wallMs),
    'main thread CPU ms': Math.round((after.TaskDuration - before.TaskDuration) * 1_000),
    'of it script': Math.round((after.ScriptDuration - before.ScriptDuration) * 1_000),
    'of it layout': Math.round((after.LayoutDuration - before.LayoutDuration) * 1_000),
    'long tasks': longTasks,
    'long tasks ms': Math.round(longTaskMs),
    'frames over 50 ms': slowFrames,
    'worst frame ms': Math.round(worstFrameMs),
    keys,
    'INP ms': keys < FEWEST_KEYS ? undefined : percentile98(interactions, keys),
    'held heap MB': Number(((after.JSHeapUsedSize - before.JSHeapUsedSize) / 2 ** 20).toFixed(1)),
  };
}

/** After garbage collection. */
async function metrics(devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics: list } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

/** Two or three events per key are reported, and only the slow ones: the rest is filled up. */
function percentile98(durations, keys) {
  const slowest = durations.toSorted((left, right) => right - left);
  return slowest[Math.floor(keys * 0.02)] ?? UNREPORTED_MS;
}
