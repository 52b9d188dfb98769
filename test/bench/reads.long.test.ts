import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSetup, runLoad, type Setup } from '../../bench/harness/setup.ts';
import { expectedData } from '../../bench/reads/expected-data.ts';
import { compileProbe, composeSupergraph } from '../../bench/sections/build.ts';
import { OURS, OURS_FROM_SOURCES, TARGETS } from '../../bench/targets.ts';
import { findProblem, WORKLOADS } from '../../bench/workloads.ts';
import { needs } from '../support/needs.ts';

/** One after the other, since equal reads of several connections may share calls. */
const REQUESTS = 3;

/** The calls that the endpoints of the service make necessary for one query. */
const READS = [
  { workload: WORKLOADS.R1, calls: 3 },
  { workload: WORKLOADS.R2, calls: 7 },
  { workload: WORKLOADS.R3, calls: 1 },
  { workload: WORKLOADS.R4, calls: 3 },
] as const;

const targets = TARGETS.filter(({ use }) => use === undefined).map((target) =>
  target === OURS ? OURS_FROM_SOURCES : target,
);

/** Users of the gateway install no peers: `npm run bench` does. */
const NEEDS_PEERS = needs(
  existsSync('bench/node_modules/mercurius'),
  'bench/ is not installed: run npm ci --prefix bench',
);

describe('the targets of the benchmark', NEEDS_PEERS, () => {
  let setup: Setup;

  beforeAll(async () => {
    composeSupergraph();
    compileProbe();
    setup = await openSetup({ targets, latencyMs: 0, settings: WORKLOADS.R1.settings });
  });

  afterAll(() => setup[Symbol.asyncDispose]());

  it.each(READS)('answer $workload.name with the same data, for $calls calls', async ({ workload, calls }) => {
    const measured: Record<string, object> = {};
    for (const target of setup.processes) {
      const before = await setup.upstreamCalls();
      const phase = { ...workload, connections: 1, milliseconds: 60_000, requestsPerConnection: REQUESTS };
      // It fails where an answer is not the expected one.
      const { requests } = await runLoad(setup.load, target, phase);
      measured[target.target.name] = { requests, calls: (await setup.upstreamCalls()) - before };
    }
    const expected = { requests: REQUESTS, calls: REQUESTS * calls };
    expect(measured).toEqual(Object.fromEntries(targets.map(({ name }) => [name, expected])));
  });
});

describe('an answer to a query of the benchmark', () => {
  const job = { dialect: 'graphql', operation: 'read-article', items: 0 } as const;
  const check = (data: object) => {
    const body = Buffer.from(JSON.stringify({ data }));
    return findProblem({ startLine: 'HTTP/1.1 200 OK', head: '', body }, { job, connection: 1, whole: true });
  };

  it('is right with the whole data of its connection', () => {
    expect(check(expectedData('read-article', 1))).toBeNull();
  });

  it('is wrong with the article of another connection', () => {
    expect(check(expectedData('read-article', 2))).toMatch(/^the data is not the expected data: HTTP/u);
  });
});
