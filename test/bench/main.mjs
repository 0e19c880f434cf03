/**
 * `npm run bench [-- --quick | --full] [--only workload,workload] [--candidates name,name] [--rounds n]
 * [--browser] [--server] [--cluster] [--add] [--publish]`
 *
 * Every case runs in a process of its own, one at a time; the candidates take turns within each round, so that a busy
 * machine is unfair to all of them alike. Prints a table per workload and writes results/results.md and .svg.
 *
 * `--browser`, `--server` and `--cluster` measure the playground in Chromium, the server half, and several nodes with one Redis instead;
 * `--full` does all.
 *
 * `--add` keeps what results/ holds of other workloads, so that a long run can be made in pieces; `--publish` writes the
 * report that is kept in the repository as well.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { bundle } from './bundle.mjs';
import { toMarkdown } from './report/markdown.mjs';
import { byWorkload, summarise, toGrowth } from './report/summarise.mjs';
import { toSvg } from './report/svg.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const CANDIDATES = {
  floor: 'floor',
  'handrail-engine': 'handrail, engine alone',
  handrail: 'handrail',
  'handrail-ai-sdk': 'handrail/ai-sdk',
  'handrail-ag-ui': 'handrail/ag-ui',
  octavus: '@octavus/react',
  'ai-sdk': '@ai-sdk/react',
  tanstack: '@tanstack/ai-react',
  'ag-ui': '@ag-ui/client',
};
/** CPU time after which a case is stopped, and so are the larger sizes of its workload. */
const LIMITS_MS = { quick: 10_000, sizes: 30_000, full: 30_000 };
/** One that waits for something that never comes is given up after so many times its limit of wall time. */
const PATIENCE = 6;
/** A case that takes this much CPU is measured once: its noise no longer matters. */
const LONG_MS = 1_500;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    candidates: { type: 'string' },
    browser: { type: 'boolean', default: false },
    server: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    add: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
});
const names = values.candidates?.split(',') ?? Object.keys(CANDIDATES);
for (const name of names) {
  if (!Object.hasOwn(CANDIDATES, name))
    throw new Error(`There is no candidate ${name}. Known: ${Object.keys(CANDIDATES).join(', ')}`);
}
const rounds = Number(values.rounds ?? 3);
const mode = values.full ? 'full' : values.quick ? 'quick' : 'sizes';

await bundle(names);
const { workloads } = await import('./.bundles/workloads.mjs');
const OTHERS = { browser: 'In Chromium', server: 'Server', cluster: 'Cluster' };
const isWhole = values.full && !values.only;
const others = Object.entries(OTHERS).filter(([name]) => values[name] || isWhole);
const chosen = values.only?.split(',') ?? (others.length > 0 && !isWhole ? [] : Object.keys(workloads));

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
const resultsFile = `${here}results/results.json`;
const earlier = values.add && existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : [];
const fresh = [];
for (const workload of chosen) {
  const kind = workloads[workload];
  if (kind === undefined)
    throw new Error(`There is no workload ${workload}. Known: ${Object.keys(workloads).join(', ')}`);
  const known = { givenUp: new Map(), cpuMs: new Map(names.map((name) => [name, []])) };
  const sizes = values.only && kind[mode].length === 0 ? kind.full : kind[mode];
  for (const size of sizes) {
    const rows = summarise(await measure(workload, size, known), CANDIDATES);
    fresh.push({ workload, title: kind.title, unit: kind.unit, size, grows: kind.grows, rows });
    console.log(`\n${kind.title}: ${size.toLocaleString('en')} ${kind.unit}`);
    show(rows);
  }
  console.log(toGrowth(fresh.slice(-sizes.length)) ?? '');
}

for (const [workload, title] of others) {
  const rows = await measureOther(workload);
  fresh.push({ workload, title, rows });
  console.log(`\n${title}`);
  show(rows);
}
console.log(`\nWritten: test/bench/results${values.publish ? ', and the report beside it' : ''}`);
console.log(`Took ${Math.round(performance.now() / 60_000)} minutes`);

function show(rows) {
  console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
  report();
}

/** Written after each table, so that a run that is broken off keeps what it has. */
function report() {
  const results = inOrder([
    ...earlier.filter(({ workload }) => !fresh.some((one) => one.workload === workload)),
    ...fresh,
  ]);
  mkdirSync(`${here}results`, { recursive: true });
  writeFileSync(resultsFile, JSON.stringify(results));
  for (const directory of values.publish ? ['results/', ''] : ['results/']) {
    const conditions = `${machine}, load average ${loadavg()[1]?.toFixed(1)} at the end`;
    writeFileSync(
      `${here}${directory}results.md`,
      toMarkdown(results, conditions, rounds, LIMITS_MS[mode] / 1_000),
    );
    writeFileSync(`${here}${directory}results.svg`, toSvg(results));
  }
}

/** In the order of the workloads, whichever piece of a run they came from. */
function inOrder(all) {
  const order = [...Object.keys(workloads), ...Object.keys(OTHERS)];
  return byWorkload(all)
    .sort(([left], [right]) => order.indexOf(left.workload) - order.indexOf(right.workload))
    .flat();
}

async function measureOther(name) {
  if (name === 'browser') return (await import('./browser/measure-browser.mjs')).measureBrowser();
  if (name === 'cluster') return (await import('./cluster/measure-cluster.mjs')).measureCluster();
  return (await import('./server/measure-server.mjs')).measureServer();
}

/** @returns every measurement by candidate, or what went wrong */
async function measure(workload, size, { givenUp, cpuMs }) {
  const limitMs = workloads[workload].limitsMs?.[size] ?? LIMITS_MS[mode];
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names)
    if (!givenUp.has(name) && expectedMs(cpuMs.get(name), size) > limitMs)
      givenUp.set(name, { fault: `> ${limitMs / 1_000} s by its growth, not run` });
  const settled = new Set(givenUp.keys());
  for (let round = 0; round < rounds; round++) {
    // Nobody always follows the same neighbour.
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      if (settled.has(name)) continue;
      const result = await runCase(name, workload, size, limitMs);
      measured[name].push(result);
      if ('fault' in result) givenUp.set(name, result);
      if ('fault' in result || result.cpuMs > LONG_MS) settled.add(name);
      if (round === 0) cpuMs.get(name).push({ size, cpuMs: result.cpuMs });
    }
  }
  for (const [name, fault] of givenUp) if (measured[name].length === 0) measured[name].push(fault);
  return measured;
}

/** What a size takes at least: as much more than the one before as that took more than its predecessor, or in proportion. */
function expectedMs(before, size) {
  const [first, last] = before.slice(-2);
  if (first === undefined) return 0;
  if (last === undefined) return (first.cpuMs * size) / first.size;
  const exponent = Math.log(last.cpuMs / first.cpuMs) / Math.log(last.size / first.size);
  return last.cpuMs * (size / last.size) ** Math.max(1, exponent);
}

async function runCase(name, workload, size, limitMs) {
  const args = [
    '--expose-gc',
    '--import',
    `${here}measure/dom.mjs`,
    `${here}.bundles/${name}.mjs`,
    workload,
    `${size}`,
    `${limitMs}`,
  ];
  const wallMs = PATIENCE * limitMs;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      timeout: wallMs,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch (error) {
    if (error.killed) return { fault: `> ${wallMs / 1_000} s wall, stopped` };
    console.error(`${name}, ${workload} ${size}: ${error.stderr || error.message}`);
    return { fault: 'failed' };
  }
}
