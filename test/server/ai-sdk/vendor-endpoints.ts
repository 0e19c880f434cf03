/** Local endpoints that speak the protocol of a vendor, and refuse what the vendor refuses with the vendor's words. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../../../src/shared/json.ts';

export interface Endpoint {
  readonly baseURL: string;
  readonly bodies: Body[];
  close(): Promise<unknown>;
}

type Body = Record<string, unknown>;
type Block = Record<string, unknown>;
type Message = { readonly role: string; readonly content: readonly Block[] };

/** Each request that passes the check is answered by the next of the streams, as server-sent events. */
async function startEndpoint(
  path: string,
  findFault: (body: Body) => string | undefined,
  streams: readonly (readonly object[])[],
): Promise<Endpoint> {
  const bodies: Body[] = [];
  let answered = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    bodies.push(body);
    const fault = findFault(body);
    if (fault !== undefined) {
      const error = { code: 400, type: 'invalid_request_error', status: 'INVALID_ARGUMENT', message: fault };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of streams[answered++] ?? []) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}${path}`,
    bodies,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Anthropic's Messages API. Each response is a list of content blocks. */
export function startAnthropic(
  ...responses: { blocks: readonly Block[]; stopReason: string }[]
): Promise<Endpoint> {
  const written = responses.flatMap(({ blocks }) => blocks);
  return startEndpoint('/v1', (body) => findAnthropicFault(body, written), responses.map(toAnthropicStream));
}

/** Checks a conversation with thinking and tools as the vendor does. */
function findAnthropicFault(body: Body, written: readonly Block[]): string | undefined {
  const messages = body.messages as readonly Message[];
  for (const [index, { role, content }] of messages.entries()) {
    const at = `messages.${index}`;
    if (content.length === 0) return `${at}: all messages must have non-empty content`;
    if (content.some((block) => block.type === 'text' && String(block.text).trim() === ''))
      return `${at}: text content blocks must contain non-whitespace text`;
    if (role !== 'assistant') continue;
    if (String(content.at(-1)?.type).endsWith('thinking'))
      return `${at}: The final block in an assistant message cannot be \`thinking\``;
    const fault =
      findThinkingFault(body, content, written, messages[index + 1]) ??
      findAnswerFault(content, messages[index + 1]);
    if (fault !== undefined) return `${at}: ${fault}`;
  }
  return undefined;
}

function findThinkingFault(
  body: Body,
  content: readonly Block[],
  written: readonly Block[],
  next: Message | undefined,
): string | undefined {
  for (const block of content) {
    const isThinking = block.type === 'thinking' || block.type === 'redacted_thinking';
    const isGenuine = written.some(
      ({ thinking, signature, data }) =>
        thinking === block.thinking && signature === block.signature && data === block.data,
    );
    if (isThinking && !isGenuine) return 'Invalid `signature` in `thinking` block';
  }
  const isContinued = next?.content.some(({ type }) => type === 'tool_result') ?? false;
  const thinks = isRecord(body.thinking) && body.thinking.type === 'enabled';
  return thinks && isContinued && !String(content[0]?.type).endsWith('thinking')
    ? `Expected \`thinking\` or \`redacted_thinking\`, but found \`${content[0]?.type}\``
    : undefined;
}

function findAnswerFault(content: readonly Block[], next: Message | undefined): string | undefined {
  const answered = (next?.content ?? []).map((block) => block.tool_use_id);
  for (const block of content) {
    if (block.type === 'tool_use' && !answered.includes(block.id))
      return `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${block.id}`;
    if (block.type === 'server_tool_use' && !content.some(({ tool_use_id }) => tool_use_id === block.id))
      return `${block.id} was found without a corresponding \`web_search_tool_result\` block`;
  }
  return undefined;
}

function toAnthropicStream({
  blocks,
  stopReason,
}: {
  blocks: readonly Block[];
  stopReason: string;
}): object[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [] };
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 5, output_tokens: 1 } } },
    ...blocks.flatMap(toAnthropicEvents),
    { type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
}

function toAnthropicEvents(block: Block, index: number): object[] {
  const stream = (content_block: object, ...deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  switch (block.type) {
    case 'text':
      return stream({ type: 'text', text: '' }, { type: 'text_delta', text: block.text });
    case 'thinking':
      return stream(
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      );
    case 'tool_use':
    case 'server_tool_use': {
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      return stream({ ...block, input: {} }, delta);
    }
    default:
      return stream(block);
  }
}

/** Google's Gemini API. Each response is a list of content parts. */
export function startGoogle(...responses: (readonly Block[])[]): Promise<Endpoint> {
  const written = responses.flat();
  const findFault = (body: Body) => {
    for (const { parts } of body.contents as readonly { parts: readonly Block[] }[]) {
      for (const part of parts) {
        const call = part.functionCall;
        if (!isRecord(call)) continue;
        if (part.thoughtSignature === undefined)
          return `Function call is missing a thought_signature in functionCall parts: ${call.name}`;
        if (!written.some(({ thoughtSignature }) => thoughtSignature === part.thoughtSignature))
          return 'Corrupted thought signature.';
      }
    }
    return undefined;
  };
  const streams = responses.map((parts) => [
    ...parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }] })),
    { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
  ]);
  return startEndpoint('/v1beta', findFault, streams);
}
