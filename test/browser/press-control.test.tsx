/// <reference types="vite/client" />
/** Controls pressed at the place where they are drawn. A row that can be pressed must not cover its own control. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { z } from 'zod';
import '../../src/styles.css';
import { ChoiceCard } from '../../src/components/choice/choice-dialog.tsx';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { createTestTool } from '../components/create-test-tool.ts';

const press = (role: 'radio' | 'checkbox', name: string) =>
  userEvent.click(screen.getByRole(role, { name }), { timeout: 30_000 });

test('radio buttons and checkboxes of a choice can be pressed where they are drawn', async () => {
  render(
    <>
      <ChoiceCard tool={createTestTool({ args: { options: ['Oat', 'Soy'] } })} />
      <ChoiceCard tool={createTestTool({ args: { options: ['Sugar', 'Cocoa'], multiple: true } })} />
    </>,
  );
  await press('radio', 'Soy');
  await press('checkbox', 'Cocoa');
  expect(screen.getByRole('radio', { checked: true })).toBe(screen.getByLabelText('Soy'));
  expect(screen.getByRole('checkbox', { checked: true })).toBe(screen.getByLabelText('Cocoa'));
});

test('a yes/no field of a form can be pressed where it is drawn', async () => {
  render(<SchemaForm schema={z.object({ gift: z.boolean() })} onSubmit={() => undefined} />);
  await press('checkbox', 'Gift');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Gift' }).checked).toBe(true);
});
