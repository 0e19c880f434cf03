// @vitest-environment jsdom
/** A time of day and a number, as a person types them and as an agent wants them. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { SchemaForm, type SchemaFormProps } from '../../../src/components/form/schema-form.tsx';
import { englishLabels } from '../../../src/components/text/labels.ts';
import { toOpaqueSchema } from '../../../src/shared/to-opaque-schema.ts';

const time = { type: 'string', format: 'time' };
const object = (at: object) => ({ type: 'object', properties: { at }, required: ['at'] });
const control = () => screen.getByLabelText<HTMLInputElement>('At');

function show(schema: SchemaFormProps['schema']) {
  const onSubmit = vi.fn();
  render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
  return { onSubmit, submit: () => userEvent.click(screen.getByRole('button', { name: 'Send' })) };
}

describe('a time of day', () => {
  beforeEach(() => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-330);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    ['08:05', '08:05:00+05:30'],
    ['08:05:30', '08:05:30+05:30'],
  ])('%s goes out with the offset of the place, as RFC 3339 wants it', async (typed, at) => {
    const { onSubmit, submit } = show(object(time));
    fireEvent.change(control(), { target: { value: typed } });
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at }));
  });

  test.each([
    [210, '-03:30'],
    [0, 'Z'],
  ])('where local time is %i minutes behind, the offset is %s', async (minutes, offset) => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes);
    const { onSubmit, submit } = show(object(time));
    fireEvent.change(control(), { target: { value: '08:05' } });
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at: `08:05:00${offset}` }));
  });

  test('one with an offset is shown as the local time', () => {
    show(object({ ...time, default: '08:05:00Z' }));
    expect(control().value).toBe('13:35');
  });

  test.each([
    ['of a pattern', object({ ...time, pattern: '^\\d\\d:\\d\\d$' }), '08:05'],
    ['of a pattern with an offset', object({ ...time, pattern: 'Z$|[+-]\\d\\d:\\d\\d$' }), '08:05:00+05:30'],
    ['of Zod', z.object({ at: z.iso.time() }), '08:05'],
    ['that a server has described', toOpaqueSchema(object(time)), '08:05'],
  ])('one %s goes out as it takes it', async (_, schema, at) => {
    const { onSubmit, submit } = show(schema);
    fireEvent.change(control(), { target: { value: '08:05' } });
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at }));
  });
});

describe('a number', () => {
  test.each([
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['-0,125', -0.125],
    ['1e3', 1000],
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['1 234,5', 1234.5],
    ['1,234,567', 1_234_567],
    ['−3', -3],
  ])('%s is %d', async (typed, at) => {
    const { onSubmit, submit } = show(object({ type: 'number' }));
    await userEvent.type(control(), typed);
    expect(control().value).toBe(typed);
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at }));
  });

  test.each([['1.500.5'], ['1,50,0'], ['0x10'], ['1e'], ['five']])('%s is an error', async (typed) => {
    const { onSubmit, submit } = show(object({ type: 'number' }));
    await userEvent.type(control(), typed);
    await submit();
    await waitFor(() => expect(document.body.textContent).toContain(englishLabels.notNumber));
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('the arrow keys count within the limits, and assistive technology reads the number', async () => {
    show(object({ type: 'number', minimum: 0, maximum: 0.5, multipleOf: 0.1 }));
    await userEvent.type(control(), '0.2{ArrowUp}');
    expect(control().value).toBe('0.3');
    expect(control().getAttribute('aria-valuenow')).toBe('0.3');
    await userEvent.type(control(), '{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(control().value).toBe('0.5');
    await userEvent.type(control(), '{ArrowDown}');
    expect(control().value).toBe('0.4');
  });

  test.each([{ isComposing: true }, { keyCode: 229 }])(
    'the arrow keys of an input method count nothing: they pick a word (%j)',
    (how) => {
      show(object({ type: 'number' }));
      fireEvent.change(control(), { target: { value: '5' } });
      expect(fireEvent.keyDown(control(), { key: 'ArrowDown', ...how })).toBe(true);
      expect(control().value).toBe('5');
    },
  );
});
