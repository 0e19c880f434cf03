// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const created = vi.fn((_: Blob) => `blob:${created.mock.calls.length}`);
const revoked = vi.fn();

beforeEach(() => {
  created.mockClear();
  revoked.mockClear();
  URL.createObjectURL = created;
  URL.revokeObjectURL = revoked;
});

const uploadFile = async (file: File) => ({
  id: file.name,
  mediaType: file.type,
  url: 'https://files.example/1',
  filename: file.name,
});
const image = (name: string, type: string) => new File(['x'], name, { type });
const shown = () => document.querySelector('.hr-thumbnail')?.getAttribute('src');

function show() {
  const schema = { type: 'object', properties: { photo: { format: 'file', title: 'Photo' } } };
  return render(<SchemaForm schema={schema} uploadFile={uploadFile} onSubmit={() => undefined} />);
}

test('a picture that is attached is shown from memory, until it is removed', async () => {
  show();
  await userEvent.upload(screen.getByLabelText('Photo'), image('lamp.png', 'image/png'));
  expect(shown()).toBe('blob:1');
  await userEvent.click(screen.getByRole('button', { name: 'Remove lamp.png' }));
  expect(shown()).toBeUndefined();
  expect(revoked.mock.calls).toEqual([['blob:1']]);
});

test('a picture is released when its form leaves', async () => {
  const { unmount } = show();
  await userEvent.upload(screen.getByLabelText('Photo'), image('lamp.png', 'image/png'));
  unmount();
  expect(revoked.mock.calls).toEqual([['blob:1']]);
});

test.each([
  ['a PDF', 'application/pdf'],
  ['a drawing, which may hold a program', 'image/svg+xml'],
])('%s has an icon', async (_, type) => {
  show();
  await userEvent.upload(screen.getByLabelText('Photo'), image('a', type));
  expect(screen.getByRole('button', { name: 'Remove a' })).toBeTruthy();
  expect(shown()).toBeUndefined();
  expect(created).not.toHaveBeenCalled();
});

test('a picture that the browser cannot read has an icon', async () => {
  show();
  await userEvent.upload(screen.getByLabelText('Photo'), image('lamp.png', 'image/png'));
  fireEvent.error(document.querySelector('.hr-thumbnail') as Element);
  expect(shown()).toBeUndefined();
});
