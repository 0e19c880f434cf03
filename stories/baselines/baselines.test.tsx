/// <reference types="vite/client" />
/**
 * The ten main states as pictures: `npm run test:visual` compares, `npm run test:visual -- --update` takes them anew.
 *
 * Fonts come with the stories and motion is off, but rasterisers still differ between systems and Chromium versions.
 * So this is a command of its own and no part of `npm test` or `npm run check`; a picture belongs to the system in its
 * name, and on another one the first run takes pictures of its own.
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
