/**
 * `npm run site:lighthouse`: what Lighthouse says of the built site, for the home page and one page of the docs. Fails where a score is below 95.
 * Lighthouse finds no browser by itself where only the one of the tests is installed.
 */

import lighthouse from 'lighthouse';
import { chromium } from 'playwright';
import { findChromium } from '../find-chromium.mjs';
import { serveSite } from './serve-site.mjs';

const PAGES = ['/', '/tools'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const LEAST = 95;
const DEBUGGING_PORT = 9333;

const site = await serveSite();
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [`--remote-debugging-port=${DEBUGGING_PORT}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
try {
  for (const page of PAGES) {
    for (const formFactor of /** @type {const} */ (['mobile', 'desktop'])) {
      const scores = await measure(`${site.url}${page}`, formFactor);
      console.log(`${page} ${formFactor}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`);
      if (scores.some(({ score }) => score < LEAST)) process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
  await site.close();
}

/**
 * @param {string} url
 * @param {'mobile' | 'desktop'} formFactor
 */
async function measure(url, formFactor) {
  const desktop = {
    screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false },
    throttling: {
      rttMs: 40,
      throughputKbps: 10_240,
      cpuSlowdownMultiplier: 1,
      requestLatencyMs: 0,
      downloadThroughputKbps: 0,
      uploadThroughputKbps: 0,
    },
  };
  const result = await lighthouse(url, {
    port: DEBUGGING_PORT,
    onlyCategories: CATEGORIES,
    logLevel: 'error',
    formFactor,
    ...(formFactor === 'desktop' ? desktop : {}),
  });
  if (result === undefined) throw new Error(`Lighthouse told nothing of ${url}.`);
  if (process.env.HANDRAIL_AUDITS) listAudits(result.lhr);
  return CATEGORIES.map((name) => ({
    name,
    score: Math.round((result.lhr.categories[name]?.score ?? 0) * 100),
  }));
}

/** @param {import('lighthouse').Result} result */
function listAudits({ audits }) {
  for (const { id, score, displayValue } of Object.values(audits)) {
    if (score !== null && score < 0.9) console.log(`  ${id}: ${score} ${displayValue ?? ''}`);
  }
}
