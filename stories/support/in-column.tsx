import type { Decorator } from '@storybook/react-vite';

/** As wide as a column of text. */
export const inColumn: Decorator = (Story) => (
  <div className="story-column">
    <Story />
  </div>
);
