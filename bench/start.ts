import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type FirstView, openFirstView } from '../console/test/support/first-view.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../test/support/chromium.ts';
import { freePort, type RunningProcess, startProcess } from './harness/processes.ts';
import { median } from './harness/statistics.ts';
import { withResource } from './harness/with-resource.ts';
import { describeMachine } from './report/machine.ts';
import { toMarkdown } from './report/tables.ts';
import { build, buildGateway } from './sections/build.ts';
import { OURS, TARGETS } from './targets.ts';

/*
 * `npm run bench:start` measures starts of the compiled gateway, the memory of a gateway that serves nobody yet, and the
 * first view of the console after a fresh `npm start`.
 */

const HELP = `npm run bench:start -- [--starts N] [--peers]

  --starts   of each target; 11 when left out, and one more before them that does not count
  --peers    installs the peers in bench/, and measures them, too
`;

/** How long a process has listened when its memory is read. */
const REST_MS = 1_500;

/** How long a process may take to end by itself. */
const STOP_MS = 3_000;

/** No start calls the service: nothing has to listen here. */
const UPSTREAM_URL = 'http://127.0.0.1:9';

const BARE_NODE = `require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')`;

interface StartTarget {
  readonly name: string;
  readonly args: (port: number) => readonly string[];
  /** The settings, with an empty folder for files. */
  readonly env: (folder: string) => Readonly<Record<string, string>>;
}

interface Start {
  /** Until the first answer: 200 of `/health/live`, or any of a peer, which has no such path. */
  readonly wallMs: number;
  /** The CPU time of all threads until then. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

const GATEWAYS: readonly StartTarget[] = [
  { name: 'bare Node, answers', args: () => ['--eval', BARE_NODE], env: () => ({}) },
  {
    name: 'kb-gateway, new embedded store',
    args: OURS.args,
    env: (folder) => ({ DATABASE_URL: `sqlite:${join(folder, 'kb.db')}` }),
  },
  { name: 'kb-gateway, in front of the service', args: OURS.args, env: () => ({ UPSTREAM_URL }) },
];

async function answers(port: number, isPeer: boolean): Promise<boolean> {
  // A port that nothing listens on refuses the connection.
  const response = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null);
  await response?.arrayBuffer();
  return response !== null && (isPeer || response.status === 200);
}

const PEERS: readonly StartTarget[] = TARGETS.filter(({ kind }) => kind === 'peer').map(({ name, args, env }) => ({
  name,
  args,
  env: () => ({ ...env, UPSTREAM_URL }),
}));

async function measureStart(target: StartTarget): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-start-'));
  const port = await freePort();
  const env = { ...target.env(folder), PORT: String(port) };
  const begun = performance.now();
  const started = await startProcess({
    role: 'gateway',
    args: target.args(port),
    env,
    port,
    hasStarted: () => answers(port, PEERS.includes(target)),
  });
  try {
    const wallMs = performance.now() - begun;
    const { pid } = started.child;
    const cpuMs = cpuMsOf(pid);
    await delay(REST_MS);
    return { wallMs, cpuMs, residentBytes: residentBytesOf(pid) };
  } finally {
    await stop(started);
    rmSync(folder, { recursive: true });
  }
}

/** A gateway that is stopped by SIGTERM keeps what it has compiled for the next start. Some peers ignore it. */
async function stop(started: RunningProcess): Promise<void> {
  return withResource(started, async (killed) => {
    const ended = once(killed.child, 'exit');
    killed.child.kill('SIGTERM');
    await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
  });
}

/** Linux counts the CPU time of each thread in nanoseconds. */
const cpuMsOf = (pid: number | undefined): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
    .reduce((sum, times) => sum + Number.parseInt(times, 10) / 1e6, 0);

const residentBytesOf = (pid: number | undefined): number =>
  Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

async function measureStarts(target: StartTarget, count: number): Promise<readonly string[]> {
  const starts: Start[] = [];
  for (let index = -1; index < count; index += 1) {
    const start = await measureStart(target);
    if (index >= 0) starts.push(start);
  }
  const medianOf = (value: (start: Start) => number) => Math.round(median(starts.map(value))).toLocaleString('en-US');
  return [
    target.name,
    medianOf(({ wallMs }) => wallMs),
    medianOf(({ cpuMs }) => cpuMs),
    medianOf(({ residentBytes }) => residentBytes / 1024 ** 2),
  ];
}

/** The longest that the first view of the console may take, from the opening of the printed link. */
const VIEW_MS = 2_000;

/** Each start has an empty store, and each view a browser with an empty cache. */
async function measureFirstViews(count: number): Promise<string> {
  const views: FirstView[] = [];
  for (let index = 0; index < count; index += 1) {
    const browser = await launchChromium();
    views.push(await openFirstView(browser));
    await browser.close();
  }
  const medianOf = (value: (view: FirstView) => number) => Math.round(median(views.map(value))).toLocaleString('en-US');
  const bytesOf = ({ received }: FirstView) => received.reduce((sum, [, bytes]) => sum + bytes, 0);
  const head = [
    `median of ${count} starts`,
    'ms until the link',
    `ms until its view (at most ${VIEW_MS})`,
    'kB received',
  ];
  const row = [
    medianOf(({ startMs }) => startMs),
    medianOf(({ viewMs }) => viewMs),
    medianOf((view) => bytesOf(view) / 1_000),
  ];
  return toMarkdown({ head, rows: [['first view of the console', ...row]] });
}

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '11' },
    peers: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const count = Number(values.starts);
if (values.help || !Number.isInteger(count) || count < 1) {
  process.stdout.write(HELP);
} else if (process.platform !== 'linux') {
  process.stderr.write('bench:start reads /proc, which Linux alone has.\n');
  process.exitCode = 1;
} else {
  if (values.peers) build();
  else buildGateway();
  const machine = describeMachine();
  const rows: (readonly string[])[] = [];
  for (const target of values.peers ? [...GATEWAYS, ...PEERS] : GATEWAYS) {
    process.stderr.write(`${target.name} …\n`);
    rows.push(await measureStarts(target, count));
  }
  const head = [`median of ${count} starts`, 'ms until it answers', 'CPU ms until then', 'resident MiB after 1.5 s'];
  process.stdout.write(`${toMarkdown({ head, rows })}\n\n`);
  if (NEEDS_CHROMIUM.skip) process.stderr.write(`No first view: ${NEEDS_CHROMIUM.meta.skipReason}.\n`);
  else process.stdout.write(`${await measureFirstViews(count)}\n\n`);
  process.stdout.write(`${machine}\n`);
}
