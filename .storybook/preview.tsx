import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import type { Decorator, Preview } from '@storybook/react-vite';
import { StrictMode, useLayoutEffect } from 'react';
import { configure } from 'storybook/test';
import '../src/styles.css';
import { plainLinks } from './plain-links.ts';
import './preview.css';

// What a story waits for must come, however busy the machine is.
configure({ asyncUtilTimeout: 20_000 });

/** The page around a story: StrictMode, the theme of the toolbar or the story, its direction and text size. */
const page: Decorator = (Story, { globals, parameters, viewMode }) => {
  const theme = parameters.theme ?? globals.theme;
  const direction = parameters.direction ?? 'ltr';
  const textSize = parameters.textSize ?? '';
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.dir = direction;
    root.style.fontSize = textSize;
  }, [theme, direction, textSize]);
  // A docs page has a main part of its own.
  const Page = viewMode === 'docs' ? 'div' : 'main';
  return (
    <StrictMode>
      <Page className="story-page" data-view={viewMode}>
        <Story />
      </Page>
    </StrictMode>
  );
};

const preview: Preview = {
  decorators: [page],
  argTypesEnhancers: [plainLinks],
  beforeEach: ({ args }) => {
    for (const tool of [args.tool, ...(Array.isArray(args.tools) ? args.tools : [])]) tool?.reopen?.();
  },
  globalTypes: {
    theme: {
      description: 'Theme',
      toolbar: { icon: 'mirror', items: ['light', 'dark'], dynamicTitle: true },
    },
  },
  initialGlobals: { theme: 'light' },
  parameters: {
    layout: 'fullscreen',
    // Violations fail the story's test.
    a11y: { test: 'error' },
    controls: { sort: 'requiredFirst' },
    viewport: {
      options: {
        phone: { name: 'Phone', styles: { width: '390px', height: '844px' }, type: 'mobile' },
        // What a window of 1280 by 800 has left at that zoom.
        zoomed: { name: 'Zoom 200 %', styles: { width: '640px', height: '400px' }, type: 'desktop' },
      },
    },
    options: {
      storySort: { order: ['Start', ['Overview', 'Look', 'shadcn', 'Headless'], 'Components', '*'] },
    },
  },
};

export default preview;
