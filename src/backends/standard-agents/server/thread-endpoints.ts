/** The routes that every thread has: messages, stop, files and environment variables. */
import { readBody } from '../../../server/http/read-body.ts';
import { longBody, refuseBody } from '../../../server/http/read-json-request.ts';
import { refuse } from '../../../server/http/refuse.ts';
import { createId } from '../../../shared/ids.ts';
import { compact, isRecord } from '../../../shared/json.ts';
import { findEnvFault, listEnv, selectMessages, setEnv } from './create-thread-state.ts';
import type { OpenThread } from './open-thread.ts';
import { readJsonBody } from './read-json-body.ts';
import { redactValue } from './redact-secrets.ts';
import { addAttachment, findAttachment, listAttachments, removeAttachment, toBytes } from './thread-files.ts';

/** The handler of a route, of the runtime's own or of the app's. */
export type OwnHandler = (
  request: Request,
  open: OpenThread,
  params: Readonly<Record<string, string>>,
) => Response | Promise<Response>;

export const threadEndpoints: Readonly<Record<string, OwnHandler>> = {
  'index.ts': (_, { thread, runner }) => {
    const { id, agent_id, created_at, session, session_status } = thread.record;
    const status = runner.isRunning ? 'running' : 'idle';
    const told = redactValue(compact({ session, session_status }), thread.secretTexts) as object;
    return Response.json({ id, agent_id, created_at, status, ...told });
  },
  'messages.ts': getMessages,
  'messages.post.ts': postMessage,
  'stop.post.ts': async (_, { runner, onStopped }) => {
    runner.stop();
    await onStopped();
    return Response.json({}, { status: 202 });
  },
  'files.ts': (_, { thread }) =>
    Response.json({ files: redactValue(listAttachments(thread), thread.secretTexts) }),
  'files.post.ts': postFile,
  'files/[name].ts': getFile,
  'files/[name].delete.ts': async (_, { thread }, { name = '' }) => {
    if (findAttachment(thread, name) === undefined) return refuseUnknownFile(name);
    await removeAttachment(thread, name);
    return new Response(null, { status: 204 });
  },
  'env.ts': (_, { thread }) => Response.json({ env: listEnv(thread) }),
  'env/[name].put.ts': putEnv,
};

function getMessages(request: Request, { thread }: OpenThread): Response {
  const query = new URL(request.url).searchParams;
  const limit = readCount(query.get('limit'));
  const maxDepth = readCount(query.get('depth'));
  if (Number.isNaN(limit) || Number.isNaN(maxDepth)) {
    return refuse(400, 'limit and depth must be whole numbers from 0.', 'invalid_request');
  }
  const includeSilent = query.get('includeSilent') === 'true';
  return Response.json({ messages: selectMessages(thread, { limit, maxDepth, includeSilent }).messages });
}

/** Returns undefined for an absent number, and NaN for a text that is none. */
function readCount(text: string | null): number | undefined {
  if (text === null) return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

async function postMessage(request: Request, open: OpenThread): Promise<Response> {
  const { runner, maxBodyBytes } = open;
  const body = await readJsonBody(request, maxBodyBytes);
  if (body instanceof Response) return body;
  const { role, content, attachments, id } = body;
  if (role !== 'user') return refuse(400, 'role must be "user".', 'invalid_request');
  if (typeof content !== 'string') return refuse(400, 'content must be a string.', 'invalid_request');
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isRecord))) {
    return refuse(
      400,
      'attachments must be a list of the objects that the upload returned.',
      'invalid_request',
    );
  }
  if (id !== undefined && (typeof id !== 'string' || id === '')) {
    return refuse(400, 'id must be a string that is not empty.', 'invalid_request');
  }
  const messageId = id ?? createId();
  const listed = attachments === undefined ? {} : { attachments: JSON.stringify(attachments) };
  await runner.queueMessage({ role, content, id: messageId, ...listed });
  return Response.json({ id: messageId }, { status: 202 });
}

async function postFile(request: Request, { thread, maxBodyBytes }: OpenThread): Promise<Response> {
  const bytes = await readBody(request.body ?? [], maxBodyBytes);
  if (bytes === null) return refuseBody(longBody(maxBodyBytes));
  const type = request.headers.get('content-type') ?? '';
  const form = await new Response(bytes as BodyInit, { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  const file = form?.get('file');
  if (!(file instanceof File)) {
    return refuse(400, 'Send the file as multipart/form-data, in the field "file".', 'invalid_request');
  }
  return Response.json(await addAttachment(thread, file));
}

function getFile(
  _: Request,
  { thread }: OpenThread,
  { name = '' }: Readonly<Record<string, string>>,
): Response {
  const file = findAttachment(thread, name);
  if (file === undefined) return refuseUnknownFile(name);
  return new Response(toBytes(file), {
    headers: {
      'content-type': file.mimeType,
      // Whatever its media type, the file must not run as a page of this server.
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
  });
}

function refuseUnknownFile(name: string): Response {
  return refuse(404, `This thread has no file named ${name}.`, 'unknown_file');
}

async function putEnv(
  request: Request,
  { thread, maxBodyBytes }: OpenThread,
  { name = '' }: Readonly<Record<string, string>>,
): Promise<Response> {
  const body = await readJsonBody(request, maxBodyBytes);
  if (body instanceof Response) return body;
  const { value, type = thread.envType(name) } = body;
  if (typeof value !== 'string') return refuse(400, 'value must be a string.', 'invalid_request');
  if (type !== 'text' && type !== 'secret') {
    return refuse(400, 'type must be "text" or "secret".', 'invalid_request');
  }
  const fault = findEnvFault(name, { value, type });
  if (fault !== undefined) return refuse(400, `${fault}.`, 'invalid_request');
  await setEnv(thread, name, { value, type });
  return new Response(null, { status: 204 });
}
