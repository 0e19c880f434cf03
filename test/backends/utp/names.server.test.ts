/** What carries a name in NATS belongs to one service and to one call, whatever characters their ids have. */
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import { describe, expect, test, vi } from 'vitest';
import { toCallKey, toClaimKey, toConsumerName } from '../../../src/backends/utp/names.ts';
import { benchPerTest } from './support/bench-per-test.ts';
import type { Bench } from './support/open-bench.ts';

let bench: Bench;
benchPerTest((opened) => {
  bench = opened;
});

const confirm = { interactive: true, timeoutMs: 900_000 } as const;

interface SentCommand {
  readonly projectId: string;
  readonly toolCallId: string;
  readonly toolName?: string;
  readonly target?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Publishes the command of a call in any project to any target. */
async function publish({ projectId, toolCallId, toolName = 'run', target, args = {} }: SentCommand) {
  const { headers } = bench.worker.prepare({ toolName });
  const cardId = `card of ${JSON.stringify([projectId, toolCallId, toolName.slice(0, 9)])}`;
  bench.cards.put({
    ...{ card_id: cardId, project_id: projectId, type: 'tool.call', created_at: '', author_id: 'agent' },
    content: { tool_name: toolName, arguments: args },
    ...{ metadata: { step_id: 's' }, tool_call_id: toolCallId },
  });
  await bench.worker.publish({
    subject: `cg.v1r4.${projectId}.public.cmd.tool.${target ?? bench.target}.call`,
    headers: { ...headers, 'CG-Project-Id': projectId, 'CG-Tool-Call-Id': toolCallId, 'CG-Turn-Id': 'turn' },
    payload: { tool_call_card_id: cardId, tool_name: toolName },
  });
}

/** Starts a service whose tool `run` notes what it ran. */
async function startNoting(target: string, projects?: readonly string[]) {
  const ran: string[] = [];
  const started = await bench.start({
    tools: { run: (_, { call }) => ran.push(`${call.projectId} ${call.toolCallId}`) },
    target,
    ...(projects && { projects }),
  });
  return { ...started, ran };
}

describe('a consumer', () => {
  test.each<[string, [string, string[]?], [string, string[]?]]>([
    ['a target and a project that together are another target', ['shop', ['eu']], ['shop_eu']],
    ['two projects that differ in one odd character', ['mail', ['x/a']], ['mail', ['x_a']]],
    ['a target whose project looks like the digest of another', ['log', ['=a']], ['log', ['a']]],
  ])('of %s is that of one service', async (_, first, second) => {
    const [target, projects = ['other']] = [`${bench.target}-${first[0]}`, first[1]];
    const [otherTarget, otherProjects] = [`${bench.target}-${second[0]}`, second[1]];
    const one = await startNoting(target, projects);
    const other = await startNoting(otherTarget, otherProjects);
    const otherProject = otherProjects?.[0] ?? 'any';
    for (let count = 0; count < 5; count += 1) {
      await publish({ projectId: projects[0] ?? '', toolCallId: `one-${count}`, target });
      await publish({ projectId: otherProject, toolCallId: `other-${count}`, target: otherTarget });
    }
    await bench.until(() => expect([one.ran.length, other.ran.length]).toEqual([5, 5]));
    expect(one.ran.toSorted()).toEqual([0, 1, 2, 3, 4].map((count) => `${projects[0]} one-${count}`));
    expect(other.ran.toSorted()).toEqual([0, 1, 2, 3, 4].map((count) => `${otherProject} other-${count}`));
  });

  test('that takes the commands of another service is not used', async () => {
    const { consumers } = await jetstreamManager(bench.nats);
    await consumers.add('cg_cmd_v1r4', {
      durable_name: `utp_${bench.target}`,
      filter_subject: 'cg.v1r4.*.*.cmd.tool.another.>',
      ack_policy: AckPolicy.Explicit,
    });
    await expect(bench.start()).rejects.toThrow(
      `The consumer utp_${bench.target} of cg_cmd_v1r4 takes cg.v1r4.*.*.cmd.tool.another.>, and this service needs one for cg.v1r4.*.*.cmd.tool.${bench.target}.>.`,
    );
  });

  test('of a service that an operator has given other limits is used', async () => {
    const { consumers } = await jetstreamManager(bench.nats);
    await consumers.add('cg_cmd_v1r4', {
      durable_name: `utp_${bench.target}`,
      filter_subject: `cg.v1r4.*.*.cmd.tool.${bench.target}.>`,
      ...{ ack_policy: AckPolicy.Explicit, max_ack_pending: 7 },
    });
    const { ran } = await startNoting(bench.target);
    await publish({ projectId: 'p', toolCallId: 'c' });
    await bench.until(() => expect(ran).toEqual(['p c']));
  });

  test('has a name of bounded length', async () => {
    const long = 'p'.repeat(1_000);
    const name = await toConsumerName(long, `${long}x`);
    expect(name).not.toBe(await toConsumerName(long, `${long}y`));
    expect(name.length).toBeLessThan(200);
    expect(await toConsumerName('hitl', '*')).toBe('utp_hitl');
  });
});

describe('a service of some projects', () => {
  test('neither lists nor answers the questions of another service of its target', async () => {
    const [eu, us] = [
      await bench.start({ tools: { confirm }, projects: ['eu'] }),
      await bench.start({ tools: { confirm }, projects: ['us'] }),
    ];
    await publish({ projectId: 'eu', toolCallId: 'c-eu', toolName: 'confirm' });
    await publish({ projectId: 'us', toolCallId: 'c-us', toolName: 'confirm' });
    await bench.until(() => expect(us.service.listOpenCalls()).toMatchObject([{ projectId: 'us' }]));
    await bench.until(() => expect(eu.service.listOpenCalls()).toMatchObject([{ projectId: 'eu' }]));
    expect(await eu.service.answer('c-us', { outcome: 'submitted' })).toMatchObject({ status: 'expired' });
    expect(us.service.listOpenCalls()).toHaveLength(1);
  });
});

describe('the key of a call', () => {
  test.each([
    ['two projects', ['x/a', 'confirm'], ['x_a', 'confirm']],
    ['two tools', ['p', 'ask it'], ['p', 'ask_it']],
  ])('keeps %s apart whose claim keys meet: both people are asked', async (_, first, second) => {
    const { service } = await bench.start({ tools: { confirm, 'ask it': confirm, ask_it: confirm } });
    expect(await toClaimKey(first[0] ?? '', first[1] ?? '', 'c')).toBe(
      await toClaimKey(second[0] ?? '', second[1] ?? '', 'c'),
    );
    for (const [projectId = '', toolName = ''] of [first, second])
      await publish({ projectId, toolName, toolCallId: 'c' });
    await bench.until(() =>
      expect(service.listOpenCalls().map(({ projectId, toolName }) => [projectId, toolName])).toEqual([
        first,
        second,
      ]),
    );
  });

  test('keeps two functions apart whose claim keys meet: both run, once each', async () => {
    const { ran } = await startNoting(bench.target);
    for (const projectId of ['x/a', 'x_a', 'x/a', 'x_a']) await publish({ projectId, toolCallId: 'c' });
    await bench.advanceUntil(() => expect(ran.toSorted()).toEqual(['x/a c', 'x_a c']));
    await bench.advanceUntil(() => bench.expectAcknowledged());
    expect(ran).toHaveLength(2);
  });

  test('begins with the claim key of the platform, and has a bounded length', async () => {
    const key = await toCallKey('p', 'run', 'c');
    expect(key.startsWith(`${await toClaimKey('p', 'run', 'c')}.`)).toBe(true);
    expect((await toCallKey('p'.repeat(3_000), 'run'.repeat(3_000), 'c'.repeat(3_000))).length).toBeLessThan(
      400,
    );
  });

  test('of a tool with a name of 5,000 characters holds up no other call', async () => {
    const { failures, ran } = await startNoting(bench.target);
    const disconnected = vi.fn();
    void (async () => {
      for await (const { type } of bench.nats.status()) if (type === 'disconnect') disconnected();
    })();
    await publish({ projectId: 'p', toolCallId: 'long', toolName: 'x'.repeat(5_000) });
    await publish({ projectId: 'p', toolCallId: 'good' });
    await bench.until(() => expect(ran).toEqual(['p good']));
    await bench.until(() =>
      expect(bench.cards.results('long')).toMatchObject([
        { content: { status: 'failed', error: { code: 'not_found' } } },
      ]),
    );
    expect(failures).toContainEqual(expect.objectContaining({ step: 'execute', toolCallId: 'long' }));
    expect(disconnected).not.toHaveBeenCalled();
  });
});
