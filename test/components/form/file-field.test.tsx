// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { FormDialog } from '../../../src/components/form/form-dialog.tsx';
import { readSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import type { FileReference } from '../../../src/core/state/message.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { createDeferred, type Deferred } from '../../support/deferred.ts';
import { createTestTool } from '../create-test-tool.ts';

const fields = [
  { name: 'note', label: 'Note' },
  { name: 'papers', label: 'Papers', type: 'file', multiple: true, required: true, accept: '.pdf' },
];
const pdf = (name: string) => new File(['%PDF'], name, { type: 'application/pdf' });
const reference = (filename: string): FileReference => ({
  id: `id-${filename}`,
  mediaType: 'application/pdf',
  url: `https://files.example/${filename}`,
  filename,
  size: 4,
});

/** Uploads that end when the test ends them. */
function createUploads() {
  const running = new Map<string, Deferred<FileReference>>();
  const uploadFile = vi.fn((file: File, onProgress: (percent: number) => void) => {
    const upload = createDeferred<FileReference>();
    running.set(file.name, upload);
    onProgress(40);
    return upload.promise;
  });
  const end = (name: string) => running.get(name)?.resolve(reference(name));
  const fail = (name: string) => running.get(name)?.reject(new Error('Disk full'));
  return { uploadFile, end, fail };
}

const chooser = () => screen.getByLabelText('Papers');
const submit = () => screen.getByRole('button', { name: 'Send' });

test('a file field uploads files when they are chosen and submits references to them', async () => {
  const user = userEvent.setup();
  const { uploadFile, end } = createUploads();
  const onSubmit = vi.fn();
  render(<SchemaForm schema={fields} onSubmit={onSubmit} uploadFile={uploadFile} />, { wrapper: StrictMode });
  await user.upload(chooser(), [pdf('a.pdf'), pdf('b.pdf')]);
  expect(screen.getByRole('progressbar', { name: 'Uploading a.pdf' })).toHaveProperty('value', 40);
  await user.click(submit());
  await screen.findByRole('link', { name: 'Papers: Files are still being uploaded.' });

  end('a.pdf');
  end('b.pdf');
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Remove a.pdf' }));
  expect(document.activeElement).toBe(chooser());
  await user.click(submit());
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  expect(onSubmit.mock.calls[0]?.[0]).toEqual({ papers: [reference('b.pdf')] });
});

test('a failed upload affects neither other files nor the text, and can be repeated', async () => {
  const user = userEvent.setup();
  const { uploadFile, end, fail } = createUploads();
  const onSubmit = vi.fn();
  render(<SchemaForm schema={fields} onSubmit={onSubmit} uploadFile={uploadFile} />);
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'Two of them');
  await user.upload(chooser(), [pdf('a.pdf'), pdf('b.pdf')]);
  end('a.pdf');
  fail('b.pdf');
  await screen.findByText('Disk full');
  await user.click(submit());
  await screen.findByRole('link', { name: /A file was not uploaded/ });
  await user.click(screen.getByRole('button', { name: 'Upload b.pdf again' }));
  end('b.pdf');
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  await user.click(submit());
  await waitFor(() =>
    expect(onSubmit.mock.calls[0]?.[0]).toEqual({
      note: 'Two of them',
      papers: [reference('a.pdf'), reference('b.pdf')],
    }),
  );
});

test('an upload stops when its file is removed or replaced or its form disappears', async () => {
  const user = userEvent.setup();
  const signals: AbortSignal[] = [];
  const uploadFile = vi.fn((_file: File, _tell: (percent: number) => void, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<FileReference>(() => undefined);
  });
  const one = [{ name: 'papers', label: 'Papers', type: 'file' }];
  const form = <SchemaForm schema={one} onSubmit={vi.fn()} uploadFile={uploadFile} />;
  const { unmount } = render(form, { wrapper: StrictMode });
  const aborted = () => signals.map((signal) => signal.aborted);
  await user.upload(chooser(), pdf('a.pdf'));
  await user.upload(chooser(), pdf('b.pdf'));
  expect(aborted()).toEqual([true, false]);
  await user.click(screen.getByRole('button', { name: 'Remove b.pdf' }));
  expect(aborted()).toEqual([true, true]);
  await user.upload(chooser(), pdf('c.pdf'));
  expect(aborted()).toEqual([true, true, false]);
  unmount();
  expect(aborted()).toEqual([true, true, true]);
});

test('a field for one file replaces it by the next, and shows errors for a wrong type and a missing file', async () => {
  const user = userEvent.setup({ applyAccept: false });
  const { uploadFile, end } = createUploads();
  const onSubmit = vi.fn();
  const schema = { type: 'object', required: ['papers'], properties: { papers: { format: 'file' } } };
  const { rerender } = render(<SchemaForm schema={fields} onSubmit={onSubmit} uploadFile={uploadFile} />);
  await user.upload(chooser(), new File(['x'], 'x.exe'));
  expect(screen.getAllByText('x.exe is not an accepted kind of file.')).not.toEqual([]);
  expect(uploadFile).not.toHaveBeenCalled();
  await user.click(submit());
  await screen.findByRole('link', { name: 'Papers: Choose a file.' });

  rerender(<SchemaForm key="one" schema={schema} onSubmit={onSubmit} uploadFile={uploadFile} />);
  await user.upload(chooser(), pdf('a.pdf'));
  await user.upload(chooser(), pdf('b.pdf'));
  end('a.pdf');
  end('b.pdf');
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(screen.queryByText('a.pdf')).toBeNull();
  await user.click(submit());
  await waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ papers: reference('b.pdf') }));
});

test('saved input of another kind of field counts as no file', async () => {
  const user = userEvent.setup();
  const { uploadFile, end } = createUploads();
  const tool = createTestTool({ args: { fields } });
  tool.saveInput?.({ f0: 'Hello', f1: 'Once a text' });
  render(<FormDialog tool={tool} uploadFile={uploadFile} />);
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'Hello');
  await user.click(submit());
  await screen.findByRole('link', { name: 'Papers: Choose a file.' });
  await user.upload(chooser(), pdf('a.pdf'));
  end('a.pdf');
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  await user.click(submit());
  await waitFor(() =>
    expect(tool.submit.mock.calls).toEqual([[{ note: 'Hello', papers: [reference('a.pdf')] }]]),
  );
  expect(tool.cancel).not.toHaveBeenCalled();
});

test('the saved input has uploaded files, and restores no running uploads', async () => {
  const user = userEvent.setup();
  const { uploadFile, end } = createUploads();
  const tool = createTestTool({ args: { fields } });
  const { unmount } = render(<FormDialog tool={tool} uploadFile={uploadFile} />);
  await user.upload(chooser(), [pdf('a.pdf'), pdf('b.pdf')]);
  end('a.pdf');
  await waitFor(() => expect(screen.getAllByRole('progressbar')).toHaveLength(1));
  unmount();
  render(<FormDialog tool={tool} uploadFile={uploadFile} />);
  expect(screen.getByText('a.pdf')).toBeTruthy();
  await user.click(submit());
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ papers: [reference('a.pdf')] }]]));
});

describe('a file field uploads', () => {
  test('through the chat around the form', async () => {
    const user = userEvent.setup();
    const uploadFiles = vi.fn(async ([file]: readonly File[]) => [reference(file?.name ?? '')]);
    const chat = { getState: () => ({ messages: [] }), subscribe: () => () => undefined, uploadFiles };
    const tool = createTestTool({ args: { fields } });
    render(
      <AgentChatProvider chat={chat as never}>
        <FormDialog tool={tool} />
      </AgentChatProvider>,
    );
    await user.upload(chooser(), pdf('a.pdf'));
    await screen.findByRole('button', { name: 'Remove a.pdf' });
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    await user.click(submit());
    await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ papers: [reference('a.pdf')] }]]));
  });

  test('nowhere and says so when there is no chat and no upload function', () => {
    render(<SchemaForm schema={fields} onSubmit={() => undefined} />);
    expect(screen.getByText('Files cannot be sent from here.')).toBeTruthy();
  });
});

test.each([
  ['a file', { format: 'file', accept: ['.pdf', 'image/*'], maxSize: 9 }, [false, '.pdf,image/*', 9]],
  [
    'a binary',
    { type: 'string', format: 'binary', contentMediaType: 'image/png' },
    [false, 'image/png', undefined],
  ],
  ['files', { type: 'array', items: { format: 'file' }, maxItems: 2 }, [true, undefined, undefined]],
])('readJsonSchema reads %s as a file field', (_, schema, expected) => {
  const { field } = readSchema(schema);
  if (field.kind !== 'file') throw new Error(field.kind);
  expect([field.multiple, field.accept, field.maxSize]).toEqual(expected);
});
