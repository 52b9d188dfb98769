import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBystander } from '../abuse/bystander.ts';
import { memoryOf } from '../abuse/measure/process-figures.ts';
import { type Behaviour, type FaultyService, hang, openFaultyService } from '../support/faulty-service.ts';
import { print, require } from '../support/figures.ts';
import type { GraphQLAnswer } from '../support/gateway.ts';
import { limitedTo } from '../support/limited-service.ts';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { serveEditions } from '../support/service-editions.ts';
import { mostCallsOf } from './fault.ts';
import { good } from './good-service.ts';
import { LARGE_ANSWERS } from './memory.ts';
import { OPERATION_NAMES, OPERATIONS, outcomeOf } from './operations.ts';
import { CALL_MS, FAULTS, REQUEST_MS, runAll, TOKEN } from './run.ts';
import { articleIdsOf, type Rush, rush } from './rush.ts';

/*
 * `npm run test:faults [-- PART …]`: every fault with every operation, as the table of docs/reliability.md; then a
 * gateway process in front of calls that hang, responses that fill the memory, and a service that allows 60 calls a
 * minute. Ends with 1 when a result is not as expected.
 */
const MAX_MEMORY_MB = 600;
const SLOW_MS = 500;
/** Calls of each kind before a process is measured. */
const WARM_UP = 50;

/**
 * One row for all faults with the same outcomes: the outcome of each operation with its calls, and the longest time.
 */
async function table(): Promise<void> {
  const runOf = await runAll();
  const rows = new Map<string, { readonly names: string[]; ms: number }>();
  for (const fault of FAULTS) {
    const ends = OPERATION_NAMES.map((operation) => {
      const { outcome, calls, ms, otherOriginConnections } = runOf(fault, operation) ?? NOT_RUN;
      const expected = fault.expected[operation];
      const areExpected = calls >= expected.calls && calls <= mostCallsOf(operation, expected);
      require(`${fault.name}, ${operation}`, outcome === expected.outcome && areExpected);
      require(`${fault.name}: no call to another origin, in time`, otherOriginConnections === 0 && ms < REQUEST_MS);
      return { end: `${outcome} (${calls})`, ms };
    });
    const key = ends.map(({ end }) => end).join(' | ');
    const row = rows.get(key) ?? { names: [], ms: 0 };
    row.names.push(fault.name);
    row.ms = Math.max(row.ms, ...ends.map(({ ms }) => ms));
    rows.set(key, row);
  }
  print(`${FAULTS.length} faults with each of ${OPERATION_NAMES.length} operations; silence lasts ${CALL_MS} ms\n`);
  print(`| faults | ${OPERATION_NAMES.join(' | ')} | ms at most |`);
  print(`|---|${'---|'.repeat(OPERATION_NAMES.length)}---|`);
  for (const [ends, { names, ms }] of rows) print(`| ${names.join('; ')} | ${ends} | ${ms} |`);
}

const NOT_RUN = { outcome: 'not run', calls: 0, ms: 0, otherOriginConnections: 0 };

type Send = (query: string, variables?: object, headers?: Record<string, string>) => Promise<GraphQLAnswer>;

const sendTo =
  ({ url }: RunningGateway): Send =>
  async (query, variables = {}, headers = { api_token: TOKEN }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

type Part = (service: FaultyService, gateway: RunningGateway) => Promise<void>;

/** Runs a part with a service and a gateway process in front of it, with default settings. */
async function withProcess(settings: Readonly<Record<string, string>>, part: Part): Promise<void> {
  const service = await openFaultyService();
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-faults-'));
  const gateway = await startGatewayProcess({ cwd, settings: { UPSTREAM_URL: service.url, ...settings } });
  await part(service, gateway);
  await gateway.stop('SIGKILL');
  await Promise.all([service.close(), rm(cwd, { recursive: true })]);
}

/** Requests that need the service, with the same token and with another one, and meet no fault. */
const OTHER_REQUESTS: readonly ((send: Send) => Promise<GraphQLAnswer>)[] = [
  (send) => send('{ readerGroup(groupId: "g1") { title } }'),
  (send) => send('{ readerGroup(groupId: "g1") { title } }', {}, { api_token: 'another-token' }),
  (send) => send(OPERATIONS['one article'].query, OPERATIONS['one article'].variables),
];

interface Crowd {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly ms: number;
  readonly slowestOther: number;
}

/** A query that needs no service, sent from a thread of its own because this thread runs the service. */
const NOTHING = '{ __typename }';

/** Sends 200 faulty calls at once, and measures the time of other requests meanwhile. */
async function crowd(gateway: RunningGateway, sendsOthers: boolean): Promise<Crowd> {
  const send = sendTo(gateway);
  const bystander = await startBystander(gateway.url, NOTHING);
  const { query, variables } = OPERATIONS['a reader group'];
  const outcomes = new Map<string, number>();
  const begin = performance.now();
  const crowded = Array.from({ length: 200 }, async (_, index) => {
    const { body } = await send(query, { input: { ...variables.input, groupId: `faulty${index}` } });
    outcomes.set(outcomeOf(body), (outcomes.get(outcomeOf(body)) ?? 0) + 1);
  });
  const all = Promise.all(crowded).then(() => true);
  let slowestOther = 0;
  do {
    for (const request of sendsOthers ? OTHER_REQUESTS : []) {
      const sentAt = performance.now();
      const { body } = await request(send);
      slowestOther = Math.max(slowestOther, performance.now() - sentAt);
      // Once enough faulty calls have failed, the circuit breaker rejects other calls too.
      require('other requests succeed until a call has failed', body.errors === undefined || outcomes.size > 0);
    }
    slowestOther = Math.max(slowestOther, await bystander.worstMs());
  } while (!(await Promise.race([all, new Promise((done) => setTimeout(done, 50, false))])));
  await bystander.stop();
  return { outcomes, ms: performance.now() - begin, slowestOther };
}

const listed = (outcomes: ReadonlyMap<string, number>) =>
  [...outcomes].map(([name, count]) => `${count} ${name}`).join(', ');

const HANGING = 'calls that hang';

const crowds: Part = async (service, gateway) => {
  service.onAny(good());
  for (let call = 0; call < WARM_UP; call += 1) for (const request of OTHER_REQUESTS) await request(sendTo(gateway));
  const behaviours = { [HANGING]: hang(), ...LARGE_ANSWERS };
  for (const [name, behaviour] of Object.entries(behaviours)) {
    service.onAny((response, request) => (/\/faulty\d+$/u.test(request.url) ? behaviour : good())(response, request));
    const { outcomes, ms, slowestOther } = await crowd(gateway, name === HANGING);
    const { peakMb } = await memoryOf(gateway.pid);
    print(
      `200 ${name}: ${listed(outcomes)} in ${Math.round(ms)} ms; other requests ${Math.round(slowestOther)} ms at most; ` +
        `memory so far ${peakMb} MB at most`,
    );
    require(`${MAX_MEMORY_MB} MB`, peakMb < MAX_MEMORY_MB);
    if (name === HANGING) require(`${SLOW_MS} ms`, slowestOther < SLOW_MS);
    service.onAny(good());
    await sendTo(gateway)(OPERATIONS['one article'].query, OPERATIONS['one article'].variables);
  }
};

const RUSH: Rush = { clients: 200, each: 30 };

/** A service with all articles of the rush in one project version: an update of a title reads there what is hidden. */
function serviceOfRush(): Behaviour {
  const articles = Object.fromEntries(articleIdsOf(RUSH).map((id) => [id, {}]));
  const reads = serveEditions([{ projectVersionId: 'version', languageCode: 'en', articles }]);
  return (response, request) => (request.method === 'GET' ? reads : good())(response, request);
}

const rateLimit: Part = async (service, gateway) => {
  const limited = limitedTo({ calls: 60, windowMs: 60_000 }, serviceOfRush());
  service.onAny(limited.behaviour);
  // Few callers are let in at one time before the service has accepted their token.
  await sendTo(gateway)(OPERATIONS['one article'].query, OPERATIONS['one article'].variables);
  const { updated, rateLimited, others, ms } = await rush(() => ({ send: sendTo(gateway) }), RUSH);
  print(
    `6,000 mutations of one article from 200 clients, 60 calls a minute: ${updated} updated in ${Math.round(ms / 1_000)} s, ` +
      `${limited.accepted()} calls (${limited.windows.join(' + ')}), ${limited.refused()} rejected with 429, ` +
      `${rateLimited} ended in RateLimitedError`,
  );
  require('all updated within two windows', updated === 6_000 && others.length === 0 && limited.windows.length <= 2);
};

const PARTS = {
  table,
  crowds: () => withProcess({ UPSTREAM_TIMEOUT_MS: '3000' }, crowds),
  'rate-limit': () => withProcess({}, rateLimit),
};
const names = process.argv.slice(2);
for (const [name, part] of Object.entries(PARTS)) {
  if (names.length === 0 || names.includes(name)) await part();
}
