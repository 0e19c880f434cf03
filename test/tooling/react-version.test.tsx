// @vitest-environment jsdom
import * as Dialog from '@radix-ui/react-dialog';
import { render, screen } from '@testing-library/react';
import { version } from 'react';
import { version as domVersion } from 'react-dom';
import { expect, inject, test } from 'vitest';

test('components, their libraries and the testing library share the React this project is about', () => {
  expect([version, domVersion].map((text) => Number.parseInt(text, 10))).toEqual([
    inject('react'),
    inject('react'),
  ]);
  render(
    <Dialog.Root defaultOpen>
      <Dialog.Content aria-describedby={undefined}>
        <Dialog.Title>Order</Dialog.Title>
      </Dialog.Content>
    </Dialog.Root>,
  );
  // With two copies of React its hooks would have thrown.
  expect(screen.getByRole('dialog', { name: 'Order' })).toBeInstanceOf(HTMLElement);
});

declare module 'vitest' {
  interface ProvidedContext {
    /** The major version under test. */
    react: 18 | 19;
  }
}
