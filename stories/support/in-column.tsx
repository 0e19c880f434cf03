import type { Decorator } from '@storybook/react-vite';

/** The width of a column of text. */
export const inColumn: Decorator = (Story) => (
  <div className="story-column">
    <Story />
  </div>
);
