import type { Preview } from '@storybook/react-vite';

type Enhancer = NonNullable<Preview['argTypesEnhancers']>[number];

/** `{@link Labels}` of a TSDoc comment is for editors; a props table shows it as the code it names. */
export const plainLinks: Enhancer = ({ argTypes }) =>
  Object.fromEntries(
    Object.entries(argTypes).map(([name, { description, ...argType }]) => [
      name,
      description === undefined ? argType : { ...argType, description: asCode(description) },
    ]),
  );

function asCode(text: string): string {
  return text.replace(/\{@link ([^\s}]+)\}/g, '`$1`');
}
