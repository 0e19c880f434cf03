/** Values of secret variables never leave a thread: not in tool output, the stream, lists, the model's history or logs. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import {
  createStreamRedactor,
  redactText,
  redactValue,
  toSecretTexts,
} from '../../../../src/backends/standard-agents/server/redact-secrets.ts';
import { MASK } from '../../../../src/shared/secrets.ts';
import { call, createScriptedModel, type ModelStep, openRuntime, outline, say } from './open-runtime.ts';

const SECRET = 'hunter"22\\x';

const leak = defineTool({
  description: 'd',
  args: z.object({ key: z.string().optional() }),
  async execute(state, args) {
    const secret = await state.env('KEY');
    state.emit('leak', { id: 'a', nested: [{ text: `key ${secret}` }] });
    return {
      status: 'success',
      result: JSON.stringify({ secret, given: args.key === secret, plain: secret }),
    };
  },
});
const throws = defineTool({
  description: 'd',
  async execute(state) {
    throw new Error(`refused ${await state.env('KEY')}`);
  },
});

async function start(...steps: ModelStep[]) {
  const scripted = createScriptedModel(...steps);
  const opened = openRuntime({
    model: scripted.model,
    tools: { leak, throws },
    endpoints: {
      'rows.ts': async (_, state) => Response.json(await state.getMessages()),
      'fail.ts': async (_, state) => {
        throw new Error(`bad ${await state.env('KEY')}`);
      },
      'tell.ts': async (request, state) => {
        const role = new URL(request.url).searchParams.get('role') as 'user' | 'system';
        await state.queueMessage({ role, content: `The key is ${await state.env('KEY')}` });
        return new Response();
      },
      'queue.ts': async (_, state) => {
        await state.queueTool('leak', { key: await state.env('KEY') });
        return new Response();
      },
    },
  });
  const id = await opened.createThread();
  await opened.ask('PUT', `/${id}/env/KEY`, { value: SECRET });
  const frames = await opened.follow(id);
  return { ...opened, ...scripted, id, frames };
}

const contains = (value: unknown) =>
  [SECRET, JSON.stringify(SECRET).slice(1, -1), JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)].some(
    (form) => JSON.stringify(value).includes(JSON.stringify(form).slice(1, -1)),
  );

test('a secret is masked in tool results, errors, events, rows, the history of the model and logs', async () => {
  const { ask, json, send, messages, contexts, frames, failures, id } = await start(
    [...call('leak'), ...call('throws')],
    [say('Done')],
  );
  await send(id, 'Go');
  await ask('GET', `/${id}/fail`);
  const rows = await messages(id);
  expect(rows.find(({ name }) => name === 'throws')?.content).toBe(`refused ${MASK}`);
  expect(JSON.parse(rows.find(({ name }) => name === 'leak')?.content ?? '')).toMatchObject({
    secret: MASK,
    plain: MASK,
  });
  expect(frames).toContainEqual({
    type: 'custom',
    eventType: 'leak',
    data: { id: 'a', nested: [{ text: `key ${MASK}` }] },
  });
  expect(failures).toEqual([
    ['tool', `refused ${MASK}`],
    ['request', `bad ${MASK}`],
  ]);
  const [, listed] = await json('GET', `/${id}/rows`);
  const [, env] = await json('GET', `/${id}/env`);
  const history = contexts.map((context) => context.messages);
  expect([rows, frames, history, listed, env, failures].map(contains)).toEqual(Array(6).fill(false));
});

test('a secret in the arguments of a queued tool reaches the tool and nobody else', async () => {
  const { ask, rest, messages, frames, id } = await start([say('Done')]);
  await ask('GET', `/${id}/queue`);
  await rest(id);
  const rows = await messages(id);
  expect(JSON.parse(rows.find(({ role }) => role === 'tool')?.content ?? '')).toMatchObject({ given: true });
  expect(JSON.parse(JSON.parse(rows[0]?.tool_calls ?? '')[0].function.arguments)).toEqual({ key: MASK });
  expect([rows, frames].map(contains)).toEqual([false, false]);
});

test.each(['user', 'system'] as const)(
  'a secret in a message that a tool queues as %s is masked for the model and for people',
  async (role) => {
    const { ask, rest, messages, contexts, frames, id } = await start([say('Done')]);
    await ask('GET', `/${id}/tell?role=${role}`);
    await rest(id);
    expect(outline(await messages(id))).toEqual([`${role}: The key is ${MASK}`, 'assistant: Done']);
    expect([contexts[0]?.messages, frames].map(contains)).toEqual([false, false]);
  },
);

test('a secret that the model writes in pieces is masked in the chunks and in the message', async () => {
  const pieces = ['The key: hun', 'ter"2', '2\\x, and hun', 'gry'];
  const { send, messages, frames, id } = await start([
    ...pieces.map((delta) => ({ type: 'reasoning-delta', delta }) as const),
    ...pieces.map(say),
  ]);
  await send(id, 'Go');
  const text = `The key: ${MASK}, and hungry`;
  expect((await messages(id))[1]).toMatchObject({ content: text, reasoning_content: text });
  for (const kind of ['content', 'reasoning']) {
    const chunks = frames
      .filter((frame) => frame.type === 'message_chunk')
      .filter((frame) => frame.kind === kind);
    expect(chunks.map(({ chunk }) => chunk).join('')).toBe(text);
  }
  expect(contains(frames)).toBe(false);
});

test('the text of a person stays as the person wrote it', async () => {
  const { send, messages, id } = await start([say('Thanks')]);
  await send(id, `My key is ${SECRET}`);
  expect((await messages(id))[0]?.content).toBe(`My key is ${SECRET}`);
});

test('a value of the type text is shown', async () => {
  const { ask, send, messages, id } = await start(call('throws'), [say('Done')]);
  await ask('PUT', `/${id}/env/KEY`, { value: 'Oslo', type: 'text' });
  await send(id, 'Go');
  expect((await messages(id)).find(({ name }) => name === 'throws')?.content).toBe('refused Oslo');
});

describe('masking', () => {
  test('a value of fewer than four characters is not searched for', () => {
    expect(toSecretTexts(['', '1', 'yes'])).toEqual([]);
    expect(redactText('1 yes', toSecretTexts(['1', 'yes']))).toBe('1 yes');
  });

  test('of two secrets the longer one is masked first', () => {
    expect(redactText('abcdef abcd', toSecretTexts(['abcd', 'abcdef']))).toBe(`${MASK} ${MASK}`);
  });

  test('a secret whose beginning is another secret is masked whole, also in a stream', () => {
    const secrets = toSecretTexts(['abcd', 'abcdefgh']);
    const redactor = createStreamRedactor(() => secrets);
    expect(redactor.push('x abcd') + redactor.push('efgh y') + redactor.flush()).toBe(`x ${MASK} y`);
  });

  test('a secret in an address is masked', () => {
    const url = new URL('https://api.example/v1');
    url.searchParams.set('key', 'a/b+c d');
    expect(redactText(`GET ${url} failed`, toSecretTexts(['a/b+c d']))).toBe(
      `GET https://api.example/v1?key=${MASK} failed`,
    );
  });

  test('an error has no secret in its fields, its causes and its parts, and keeps its class', () => {
    const cause = Object.assign(new TypeError('refused'), { response: { body: [`key ${SECRET}`] } });
    const error = new AggregateError([new Error(SECRET)], 'all failed', { cause });
    const redacted = redactValue(error, toSecretTexts([SECRET])) as AggregateError;
    expect(inspect(redacted, { depth: 9, showHidden: true })).not.toContain('hunter');
    expect([redacted, redacted.cause].map((one) => (one as Error).constructor)).toEqual([
      AggregateError,
      TypeError,
    ]);
  });

  test('an error, or an object that was thrown, may lead back to itself', () => {
    const error: Error & { cause?: unknown } = new Error(SECRET);
    error.cause = error;
    const object: Record<string, unknown> = { key: SECRET };
    object.self = object;
    const redacted = [error, object].map((thrown) => redactValue(thrown, toSecretTexts([SECRET])));
    expect(inspect(redacted, { depth: 9, showHidden: true })).not.toContain('hunter');
  });

  test('a number that is a secret is masked, and other numbers are not', () => {
    expect(redactValue({ pin: 1234, other: 12345 }, toSecretTexts(['1234']))).toEqual({
      pin: MASK,
      other: 12345,
    });
  });

  test('a text in pieces is masked as the whole text, wherever it is cut', () => {
    const secret = fc.stringMatching(/^[ab]{4,6}$/);
    fc.assert(
      fc.property(
        fc.array(secret, { maxLength: 2 }),
        fc.array(fc.stringMatching(/^[abc]{0,5}$/)),
        (values, pieces) => {
          const secrets = toSecretTexts(values);
          const redactor = createStreamRedactor(() => secrets);
          const sent = pieces.map((piece) => redactor.push(piece)).join('') + redactor.flush();
          for (const secret of secrets) expect(sent).not.toContain(secret);
          expect(sent).toBe(redactText(pieces.join(''), secrets));
        },
      ),
    );
  });
});
