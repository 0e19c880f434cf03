// @vitest-environment jsdom
/** Zod leaves `format` out of the JSON Schema of `z.iso.time()` and of local dates with times. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const control = () => screen.getByLabelText<HTMLInputElement>('At');
const sent = (schema: z.ZodType) => {
  const onSubmit = vi.fn();
  render(<SchemaForm schema={z.object({ at: schema })} onSubmit={onSubmit} />);
  return {
    submit: (value: string) => {
      fireEvent.change(control(), { target: { value } });
      return userEvent.click(screen.getByRole('button', { name: 'Send' }));
    },
    onSubmit,
  };
};

describe('the control of z.iso.time()', () => {
  test.each([
    ['', '09:30', z.iso.time(), '09:30'],
    ['', '09:30:15', z.iso.time(), '09:30:15'],
    [' of minutes', '09:30', z.iso.time({ precision: -1 }), '09:30'],
    [' of seconds', '09:30', z.iso.time({ precision: 0 }), '09:30:00'],
    [' of milliseconds', '09:30', z.iso.time({ precision: 3 }), '09:30:00.000'],
    [' of milliseconds', '09:30:15', z.iso.time({ precision: 3 }), '09:30:15.000'],
  ])('asks for a time%s, and the schema accepts %s', async (_, typed, schema, at) => {
    const { submit, onSubmit } = sent(schema);
    expect(control().type).toBe('time');
    await submit(typed);
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at }));
  });

  test('asks for a time in the JSON Schema that a server made from it', () => {
    const schema = z.toJSONSchema(z.object({ at: z.iso.time() }));
    render(<SchemaForm schema={schema} onSubmit={() => undefined} />);
    expect(control().type).toBe('time');
  });
});

test('the control of a local date and time asks for both, and the schema accepts them', async () => {
  const { submit, onSubmit } = sent(z.iso.datetime({ local: true }));
  expect(control().type).toBe('datetime-local');
  await submit('2026-03-01T09:30');
  await waitFor(() =>
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at: new Date('2026-03-01T09:30').toISOString() }),
  );
});

test('the control of another pattern stays a text', () => {
  render(
    <SchemaForm
      schema={{ type: 'object', properties: { at: { type: 'string', pattern: '^\\d\\d:\\d\\d$' } } }}
      onSubmit={() => undefined}
    />,
  );
  expect(control().type).toBe('text');
});
