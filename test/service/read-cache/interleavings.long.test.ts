import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import { silentLog } from '../../../src/core/base/log.ts';
import { err, ok } from '../../../src/core/base/result.ts';
import type { SharedState } from '../../../src/core/shared-state.ts';
import type { RequestResult } from '../../../src/service/calls/service-call.ts';
import type { HttpRequest, SendHttp } from '../../../src/service/calls/service-client.ts';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { SeededRandom } from '../../simulation/world/random.ts';
import { envelope } from '../../support/faulty-service.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { queryCaller, titleOf } from '../../support/read-cache-scene.ts';
import { callerWith } from '../../support/rest-scene.ts';
import { listedEntry } from '../../support/service-editions.ts';

const CACHE_MS = 400;
const TIMEOUT_MS = 100;

/** One article whose title is the number of its last change, at a service with delays and cuts. */
class ChangingService {
  /** `performance.now()` of each change. */
  readonly changedAt: number[] = [Number.NEGATIVE_INFINITY];
  /** The change that each title of a write became. */
  readonly changeOfWrite = new Map<string, number>();
  calls = 0;
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  change(): number {
    return this.changedAt.push(performance.now()) - 1;
  }

  /** The last change that was made up to then. */
  lastChangeAt(time: number): number {
    return this.changedAt.findLastIndex((changedAt) => changedAt <= time);
  }

  readonly sendHttp: SendHttp = async (request) => {
    this.calls += 1;
    await this.#pause();
    const response = request.method === 'PUT' ? this.#write(request) : this.#read();
    await this.#pause();
    return response;
  };

  #read(): RequestResult {
    const title = `${this.changedAt.length - 1}`;
    return answer({ ...listedEntry('a1', 'en'), title, version_number: 1, project_version_id: 'v' });
  }

  /** Some writes are cut, and some of those take effect later. */
  #write({ body }: HttpRequest): RequestResult {
    const [item] = JSON.parse(Buffer.from(body ?? []).toString());
    const apply = () => this.changeOfWrite.set(item.title, this.change());
    if (!this.#random.chance(0.2)) {
      apply();
      return answer([{ article_id: 'a1', success: true }]);
    }
    if (this.#random.chance(0.7)) void this.#pause().then(apply);
    return err({ kind: 'unknown', reason: 'the connection was cut.' });
  }

  async #pause(): Promise<void> {
    for (let ticks = this.#random.between(0, 20); ticks > 0; ticks -= 1) await nextTick();
  }
}

function answer(data: unknown): RequestResult {
  const body = envelope(data);
  return ok({ httpStatus: 200, headers: {}, body, json: Buffer.from(JSON.stringify(body)) });
}

interface Run {
  readonly service: ChangingService;
  readonly random: SeededRandom;
  readonly gateways: readonly [Backend, Backend];
  /** The change of the last write that was acknowledged, to any client. */
  acknowledged: number;
  writes: number;
  hits: number;
  joined: number;
}

/** No read shows what was before a write that was acknowledged when it began, nor an older edit than the cache may keep. */
async function read(run: Run, gateway: Backend): Promise<void> {
  const { service, acknowledged } = run;
  const oldest = Math.max(acknowledged, service.lastChangeAt(performance.now() - CACHE_MS));
  const caller = queryCaller();
  const title = Number(await titleOf(gateway, 'a1', caller));
  expect(title).toBeGreaterThanOrEqual(oldest);
  run.hits += caller.summary.readCacheUse?.hits ?? 0;
  run.joined += caller.summary.readCacheUse?.joined ?? 0;
}

async function write(run: Run, gateway: Backend): Promise<void> {
  run.writes += 1;
  const title = `write ${run.writes}`;
  const result = await gateway.bulkUpdateArticles(callerWith(), [{ articleId: 'a1', languageCode: 'en', title }]);
  const isUpdated = result.ok && result.value.outcomes.every(({ kind }) => kind === 'updated');
  if (isUpdated) run.acknowledged = Math.max(run.acknowledged, run.service.changeOfWrite.get(title) ?? 0);
}

async function actAsClient(run: Run): Promise<void> {
  const { random, gateways, service } = run;
  for (let action = 0; action < 40; action += 1) {
    for (let ticks = random.between(0, 6); ticks > 0; ticks -= 1) await nextTick();
    if (random.chance(0.08)) await write(run, random.pick(gateways));
    else if (random.chance(0.05)) service.change();
    else await read(run, random.pick(gateways));
  }
}

/** Advances the time with the event loop, in random steps, and cuts gateways off for a while. */
async function turnTime(random: SeededRandom, cut: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    vi.advanceTimersByTime(random.chance(0.01) ? 700 : 1);
    if (random.chance(0.02)) cut();
    await nextTick();
  }
}

const openGateway = ({ sendHttp }: ChangingService, shared: SharedState): Backend =>
  openRestBackend({
    baseUrl: 'http://service.example',
    timeoutMs: TIMEOUT_MS,
    bulkSize: 100,
    maxReadCalls: 60,
    shared,
    readCacheMs: CACHE_MS,
    readCacheBytes: 64 * 1024,
    sendHttp,
    log: silentLog,
  });

async function play(seed: number): Promise<Run> {
  const random = new SeededRandom(seed);
  const service = new ChangingService(random);
  const world = createSharedWorld();
  const states = [world.gateway(), world.gateway()] as const;
  const gateways = [openGateway(service, states[0]), openGateway(service, states[1])] as const;
  const run: Run = { service, random, gateways, acknowledged: 0, writes: 0, hits: 0, joined: 0 };
  const ended = new AbortController();
  const time = turnTime(random, () => world.partition(random.pick(states), random.chance(0.4)), ended.signal);
  try {
    await Promise.all(Array.from({ length: 4 }, () => actAsClient(run)));
  } finally {
    ended.abort();
    await time;
  }
  for (const gateway of gateways) await gateway.close();
  return run;
}

it('no query shows what was before an acknowledged write, through two gateways with cuts and partitions', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const sums = { calls: 0, hits: 0, joined: 0, writes: 0 };
  for (let seed = 1; seed <= 20; seed += 1) {
    const { service, hits, joined, writes } = await play(seed);
    sums.calls += service.calls;
    sums.hits += hits;
    sums.joined += joined;
    sums.writes += writes;
  }
  expect(Math.min(sums.calls, sums.hits, sums.joined, sums.writes)).toBeGreaterThan(50);
});
