/// <reference types="vite/client" />
/**
 * Screenshots of the ten main states. `npm run test:visual` compares them, `npm run test:visual -- --update` takes new
 * ones. The stories have their own fonts and no motion, but rasterisers still differ between systems and Chromium
 * versions. So this command is not a part of `npm test` or `npm run check`, each screenshot belongs to the system in its
 * name, and the first run on another system takes screenshots of its own.
 */
import { composeStories, setProjectAnnotations } from '@storybook/react-vite';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import preview from '../../.storybook/preview.tsx';
import * as stories from '../main-states.stories.tsx';

setProjectAnnotations(preview);

const VIEWS = [
  { view: 'light', theme: 'light', width: 1000, height: 760 },
  { view: 'dark', theme: 'dark', width: 1000, height: 760 },
  { view: 'phone', theme: 'light', width: 390, height: 844 },
] as const;

describe.each(VIEWS)('$view', ({ view, theme, width, height }) => {
  test.each(Object.entries(composeStories(stories)))('%s', async (name, Story) => {
    await page.viewport(width, height);
    await Story.run({ globals: { ...Story.globals, theme } });
    await document.fonts.ready;
    await expect.element(page.elementLocator(document.body)).toMatchScreenshot(`${name}-${view}`);
  });
});
