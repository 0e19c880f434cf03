import { expect, it, vi } from 'vitest';
import { scriptedChat } from '../support/scripted-chat.ts';

/** A page that was open while a new version of the app took the old files away. */
vi.mock('../../src/chat/uploads.ts', () => {
  throw new Error('the server no longer has it');
});

const file = new File(['a'], 'a.txt');
const requestUploadUrls = async () => ({ files: [] });

it('a message whose files cannot be uploaded, as the code for that is out of reach, is refused and nothing is sent', async () => {
  const { chat, backend } = scriptedChat({ requestUploadUrls });
  const before = chat.getState();
  const refusal = { name: 'AgentChatError', code: 'upload_failed' };
  await expect(chat.sendMessage({ content: 'look', files: [file] })).rejects.toMatchObject(refusal);
  await expect(chat.uploadFiles([file])).rejects.toMatchObject(refusal);
  expect(chat.getState()).toBe(before);
  expect(backend.commands).toEqual([]);
});
