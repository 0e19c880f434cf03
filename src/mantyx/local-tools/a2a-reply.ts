/** What an A2A agent answered, as the text a model reads. */
import type { Message, Task } from '@a2a-js/sdk';
import type { LocalToolAnswer } from './local-tool-source.ts';

type Parts = Message['parts'];

/** States of a task that ended without what was asked for, by their numbers in A2A 1.0: failed, cancelled, rejected. */
const FAILED: readonly number[] = [4, 5, 7];

/**
 * A message's own parts; of a task what its status says, else its last artifact (Mantyx protocol 0.11, section 8).
 * An agent that waits for more says so in its status, so the model gets to read the question.
 */
export function readReply(reply: Message | Task): LocalToolAnswer {
  if ('parts' in reply) return { result: toText(reply.parts) };
  const { status, artifacts } = reply;
  const said = toText(status?.message?.parts ?? []);
  if (status !== undefined && FAILED.includes(status.state)) {
    return { error: said === '' ? 'The agent could not do it.' : said };
  }
  return { result: said === '' ? toText(artifacts.at(-1)?.parts ?? []) : said };
}

/** Where there is nothing to read it says what came instead, because a model that reads nothing asks again. */
function toText(parts: Parts): string {
  const texts = parts.flatMap(({ content }) => {
    if (content?.$case === 'text' || content?.$case === 'url') return content.value;
    return content?.$case === 'data' ? JSON.stringify(content.value) : [];
  });
  if (texts.length > 0) return texts.join('\n');
  return parts.map(({ mediaType }) => `[${mediaType || 'file'}]`).join('\n');
}
