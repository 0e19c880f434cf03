import type { NatsConnection } from '@nats-io/nats-core';
import { expect, test } from 'vitest';
import { createUtpToolService } from '../../../src/backends/utp/create-utp-tool-service.ts';
import type { UtpToolServiceOptions } from '../../../src/backends/utp/service-options.ts';
import { createMemoryCards } from './support/memory-cards.ts';
import { createMemoryL0 } from './support/memory-l0.ts';

const cards = createMemoryCards();
const options: UtpToolServiceOptions = {
  nats: {} as NatsConnection,
  cards,
  l0: createMemoryL0(cards),
  target: 'hitl',
  tools: {},
};

test.each<[string, object]>([
  ['nats must be a NATS connection', { nats: undefined }],
  ['cards must be a CardStore', { cards: {} }],
  ['l0 must be an L0', { l0: undefined }],
  ['target must be the token', { target: 'a.b' }],
  ['target must be the token', { target: '' }],
  ['projects must be an array of project ids', { projects: 'p1' }],
  ['projects must be an array of project ids', { projects: ['p.1'] }],
  ['tools must be an object', { tools: undefined }],
  ["tools['a'] must be a function, or { interactive: true }", { tools: { a: {} } }],
  [
    "timeoutMs of tools['a'] must be a number",
    { tools: { a: { interactive: true, timeoutMs: Number.NaN } } },
  ],
])('a service is refused with "%s" for the options %o', (complaint, change) => {
  const create = () => createUtpToolService({ ...options, ...change });
  expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  expect(create).toThrow(complaint);
});

test('a service without options is refused', () => {
  expect(() => createUtpToolService(undefined as never)).toThrow('createUtpToolService: nats');
});

test('a service does nothing before its start', async () => {
  const service = createUtpToolService(options);
  expect(service.listOpenCalls()).toEqual([]);
  await expect(service.answer('call', { outcome: 'submitted' })).rejects.toThrow('start() the service');
  await service.stop();
});
