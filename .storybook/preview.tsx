import type { Decorator, Preview } from '@storybook/react-vite';
import { StrictMode, useLayoutEffect } from 'react';
import '../src/styles.css';
import './preview.css';

/** The page around a story: StrictMode, the theme of the toolbar or the story, and its direction. */
const page: Decorator = (Story, { globals, parameters }) => {
  const theme = parameters.theme ?? globals.theme;
  const direction = parameters.direction ?? 'ltr';
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    document.documentElement.dir = direction;
  }, [theme, direction]);
  return (
    <StrictMode>
      <main className="story-page">
        <Story />
      </main>
    </StrictMode>
  );
};

const preview: Preview = {
  decorators: [page],
  beforeEach: ({ args }) => {
    for (const tool of [args.tool, ...(Array.isArray(args.tools) ? args.tools : [])]) tool?.reopen?.();
  },
  tags: ['autodocs'],
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
    // A modal in a docs page would take the whole page with it.
    docs: { story: { inline: false, iframeHeight: 560 } },
    controls: { sort: 'requiredFirst' },
  },
};

export default preview;
