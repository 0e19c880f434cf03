import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toUtpToolDefinition } from '../../../../src/backends/utp/tool-definition/to-utp-tool-definition.ts';
import { uploadToolDefinition } from '../../../../src/backends/utp/tool-definition/upload-tool-definition.ts';
import { defineClientTool } from '../../../../src/core/tools/define-client-tool.ts';

const targetSubject = 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl.call';
const registration = { name: 'confirm_action', targetSubject };

describe('toUtpToolDefinition', () => {
  test('describes a client tool with its schema and its time limit', () => {
    const tool = defineClientTool({
      title: 'Confirm',
      description: 'Ask the person to confirm',
      input: z.object({ action: z.string() }),
      interactive: true,
      timeoutMs: 900_000,
    });
    const options = { ui_allowed: true };
    expect(toUtpToolDefinition(tool, { ...registration, afterExecution: 'terminate', options })).toEqual({
      tool_name: 'confirm_action',
      description: 'Ask the person to confirm',
      target_subject: targetSubject,
      after_execution: 'terminate',
      parameters: z.toJSONSchema(z.object({ action: z.string() }), { io: 'input' }),
      options: { suspend_timeout_seconds: 900, ui_allowed: true },
    });
  });

  test('takes the title when there is no description, and leaves out what the tool does not say', () => {
    expect(
      toUtpToolDefinition({ title: 'Confirm', timeoutMs: Number.POSITIVE_INFINITY }, registration),
    ).toEqual({
      tool_name: 'confirm_action',
      description: 'Confirm',
      target_subject: targetSubject,
      after_execution: 'suspend',
      options: {},
    });
  });

  test('lets the options overrule the time limit of the tool', () => {
    const options = { suspend_timeout_seconds: 60 };
    expect(toUtpToolDefinition({ timeoutMs: 5_000 }, { ...registration, options }).options).toEqual(options);
  });

  test('refuses a schema that cannot describe itself', () => {
    const input = {
      '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) },
    } as const;
    expect(() => toUtpToolDefinition({ input }, registration)).toThrow(
      /input of the tool confirm_action cannot be turned into JSON Schema/,
    );
  });

  test('refuses what the rules of a definition refuse', () => {
    expect(() => toUtpToolDefinition({}, { ...registration, name: 'fork_join' })).toThrow(
      'tool_name must be another',
    );
    expect(() => toUtpToolDefinition({ input: z.string() }, registration)).toThrow(
      "schema with type: 'object'",
    );
  });
});

describe('uploadToolDefinition', () => {
  const definition = toUtpToolDefinition({ description: 'Bestätigen 😀' }, registration);
  const requests: { method: string | undefined; path: string | undefined; form: FormData }[] = [];
  let answer: { status: number; body: string };
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      requests.push({ method: request.method, path: request.url, form: await readForm(request) });
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests.length = 0;
    answer = { status: 201, body: '{}' };
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('posts the definition as a YAML file of a form', async () => {
    await uploadToolDefinition({ url: `${url}/`, project: 'a/b', definition });
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', path: '/projects/a%2Fb/tools' });
    const file = request?.form.get('file') as File;
    expect(file.name).toBe('confirm_action.yaml');
    expect(JSON.parse(await file.text())).toEqual(definition);
  });

  test('sends nothing when the definition breaks a rule', async () => {
    const wrong = { ...definition, tool_name: 'two words' };
    await expect(uploadToolDefinition({ url, project: 'p', definition: wrong })).rejects.toThrow(
      'tool_name must be',
    );
    expect(requests).toEqual([]);
  });

  test('reports a refusal with its status and the words of the API', async () => {
    answer = { status: 404, body: '{"detail":"project not found: p"}' };
    await expect(uploadToolDefinition({ url, project: 'p', definition })).rejects.toMatchObject({
      code: 'http_error',
      status: 404,
      retryable: false,
      message: `The tool confirm_action was not registered: ${url}/projects/p/tools answered with status 404. {"detail":"project not found: p"}`,
    });
  });

  test('reports an API that is overloaded as one to try again', async () => {
    answer = { status: 503, body: '' };
    const upload = uploadToolDefinition({ url, project: 'p', definition });
    await expect(upload).rejects.toMatchObject({ code: 'http_error', status: 503, retryable: true });
  });

  test('reports an API that cannot be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    await expect(uploadToolDefinition({ url, project: 'p', definition, fetch })).rejects.toMatchObject({
      code: 'connection_failed',
      retryable: true,
      message: expect.stringContaining('cannot be reached (fetch failed)'),
    });
  });
});

/** Reads a multipart form with the parser of Node. */
async function readForm(request: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': String(request.headers['content-type']) };
  return await new Response(Buffer.concat(chunks), { headers }).formData();
}
