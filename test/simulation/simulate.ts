import type { Ledger, LedgerClaim } from '../../src/jobs/state/ledger.ts';
import { emptyModelState, ModelLedger } from '../jobs/state/model-ledger.ts';
import { type Breakage, withMethods } from './broken-ledgers.ts';
import { type BusyToken, pickBusyToken, runOthers } from './world/busy-token.ts';
import { type Client, type ClientOptions, InteractiveClient, KeyedClient } from './world/clients.ts';
import type { DiskFaults, ProcessFaults } from './world/crashing.ts';
import { JobClient } from './world/job-client.ts';
import { SeededRandom } from './world/random.ts';
import type { ReadLags, ServiceArticles } from './world/service-articles.ts';
import {
  findLateSends,
  findReorderedItems,
  findRepeatedItems,
  findUntrueOutcomes,
  findWrongPublications,
  type ToldPublication,
  textOf,
} from './world/service-checks.ts';
import { SimulatedGateway } from './world/simulated-gateway.ts';
import { SimulatedService } from './world/simulated-service.ts';
import { VirtualTime } from './world/virtual-time.ts';

/** A run that takes more steps than that does not end. */
const MAX_STEPS = 1_000_000;

/** More than any job of a run has. */
const MAX_JOB_ITEMS = 1_000;

/** The time in which a job ends whose calls need not wait for their rate limit. */
const UNLIMITED_MS = 8_000_000;

/** More calls than all items of a run take together. */
const MOST_CALLS = 600;

/** The calls of a window that jobs leave to others. */
const RESERVED_CALLS = 2;

export const NO_FAULTS: ProcessFaults = { stop: 0, cutOff: 0, setClock: 0, beforeRequest: 0 };

export const HEALTHY_DISK: DiskFaults = { failBefore: 0, failAfter: 0, slow: 0 };

export interface SimulationReport {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: number;
  readonly virtualSeconds: number;
  /** How often it met what it is about. */
  readonly met: {
    readonly kills: number;
    /** Processes that were stopped, or whose machine slept. */
    readonly stops: number;
    readonly received: number;
    readonly rateLimited: number;
    readonly unknown: number;
    readonly readBack: number;
    readonly published: number;
  };
}

/** Runs gateways, their clients, the ledger and the service in virtual time. The seed alone decides all that happens. */
export async function simulate(seed: number, breakage: Breakage = {}): Promise<SimulationReport> {
  const random = new SeededRandom(seed);
  const time = new VirtualTime(random);
  const restore = time.install();
  try {
    const ledger = new ModelLedger(emptyModelState(), () => time.epochNow);
    const { ledger: breakLedger = (whole) => whole, ignoresLeases = false } = breakage;
    return await new Simulation(seed, { random, time, ledger: breakLedger(ledger), ignoresLeases }).run();
  } finally {
    restore();
  }
}

/** The calls of an update of several articles whose hidden ones are read: the versions, a tree, three probes, and the update. */
const CALLS_WITH_HIDDEN = 6;

interface SimulationOptions {
  readonly random: SeededRandom;
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly ignoresLeases: boolean;
}

class Simulation {
  readonly #seed: number;
  readonly #options: SimulationOptions;
  readonly #service: SimulatedService;
  readonly #busyToken: BusyToken | null;
  readonly #ledger: Ledger;
  readonly #clients: readonly Client[];
  readonly #gateways: (SimulatedGateway | null)[];
  readonly #violations: string[] = [];
  readonly #bulkSize: number;
  readonly #lendsToken: boolean;
  /** When a process that took over a job has called its items unknown. */
  readonly #takenOver: { readonly marker: string; readonly at: number }[] = [];
  /** The same of publications. */
  readonly #takenPublications: { readonly job: string; readonly index: number; readonly at: number }[] = [];
  #diskFaults: DiskFaults;
  #processFaults: ProcessFaults;
  #kills = 0;
  #started = 0;
  #stops = 0;

  constructor(seed: number, options: SimulationOptions) {
    const { random, time, ledger } = options;
    this.#seed = seed;
    this.#options = options;
    const articleIds = ['a1', ...Array.from({ length: random.between(2, 14) }, (_, index) => `a${index + 2}`)] as const;
    this.#bulkSize = random.between(1, 8);
    this.#lendsToken = random.chance(0.5);
    this.#diskFaults = pickDiskFaults(random);
    this.#processFaults = pickProcessFaults(random);
    this.#busyToken = pickBusyToken(random);
    this.#service = new SimulatedService({
      time,
      random,
      articleIds,
      callsPerMinute: random.between(15, 60),
      faults: pickServiceFaults(random),
      normalizes: random.chance(0.5),
      ...this.#busyToken?.service,
    });
    this.#service.articles.lags = pickReadLags(random);
    this.#ledger = withMethods(ledger, { claim: (claim) => this.#watchClaim(ledger, claim) });
    this.#gateways = Array.from({ length: random.between(1, 2) }, () => null);
    const clientOptions = {
      time,
      random,
      articleIds,
      pickGateway: () => this.#pickGateway(),
      report: (violation: string) => this.#violations.push(violation),
      jobPatienceMs: UNLIMITED_MS + MOST_CALLS * msOfCall(this.#busyToken),
    };
    this.#clients = createClients(random, clientOptions);
  }

  async run(): Promise<SimulationReport> {
    const { time } = this.#options;
    for (const index of this.#gateways.keys()) this.#start(index);
    const pending = new Set(this.#clients);
    for (const client of this.#clients) {
      client.run().then(
        () => pending.delete(client),
        (error: unknown) => {
          this.#violations.push(`${client.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
          pending.delete(client);
        },
      );
    }
    this.#disturb();
    const hasEnded = await time.run(() => pending.size === 0, MAX_STEPS);
    if (!hasEnded) this.#violations.push(`no end: ${[...pending].map(({ name }) => name).join()}`);
    // Calls that the service takes after their clients have given up are applied as well.
    await time.run(() => false, 2_000);
    return this.#report();
  }

  #start(index: number): void {
    const { time, random } = this.#options;
    this.#started += 1;
    this.#gateways[index] = new SimulatedGateway({
      name: `gateway-${this.#started}`,
      time,
      random,
      service: this.#service,
      ledger: this.#ledger,
      diskFaults: () => this.#diskFaults,
      processFaults: () => this.#processFaults,
      ignoresLeases: this.#options.ignoresLeases,
      onStop: () => {
        this.#stops += 1;
      },
      bulkSize: this.#bulkSize,
      // A window must have room for the reads and the update, or no interactive update of several articles gets through.
      keepsHidden: (this.#busyToken?.service.callsPerMinute ?? CALLS_WITH_HIDDEN) >= CALLS_WITH_HIDDEN,
      lendsToken: this.#lendsToken,
      report: (violation) => this.#violations.push(violation),
    });
  }

  /** Notes the items that a process calls unknown when it takes over their job. */
  async #watchClaim(ledger: Ledger, claim: LedgerClaim): ReturnType<Ledger['claim']> {
    const claimed = await ledger.claim(claim);
    const at = this.#options.time.now;
    for (const run of claimed)
      for (const { update } of (await ledger.unknownItems(run, MAX_JOB_ITEMS)) ?? [])
        this.#takenOver.push({ marker: update.title ?? '', at });
    for (const run of claimed)
      for (const { index } of (await ledger.unknownItems(run, MAX_JOB_ITEMS, 'publication')) ?? [])
        this.#takenPublications.push({ job: run.job.publication?.message ?? '', index, at });
    return claimed;
  }

  /** Kills gateways, cuts them off from the ledger, refuses the token, and heals everything at last. */
  #disturb(): void {
    const { time, random } = this.#options;
    const healAt = random.between(20_000, 180_000);
    if (this.#busyToken) runOthers(this.#busyToken, { service: this.#service, time }, healAt);
    for (let kills = random.between(0, 6); kills > 0; kills -= 1) {
      const index = random.between(0, this.#gateways.length - 1);
      const at = random.between(0, healAt - 1);
      time.schedule(at, () => this.#kill(index));
    }
    for (let cuts = random.between(0, 2); cuts > 0; cuts -= 1) {
      const index = random.between(0, this.#gateways.length - 1);
      const forMs = random.between(100, 25_000);
      time.schedule(random.between(0, healAt - 1), () => {
        const gateway = this.#gateways[index];
        if (gateway) gateway.process.cutOffUntil = time.now + forMs;
      });
    }
    if (random.chance(0.2)) {
      const at = random.between(0, healAt - 10_000);
      time.schedule(at, () => {
        this.#service.token = 'unknown';
      });
    }
    time.schedule(healAt, () => {
      this.#service.isHealthy = true;
      this.#service.token = 'accepted';
      this.#diskFaults = HEALTHY_DISK;
      this.#processFaults = NO_FAULTS;
    });
  }

  #publicationsOf(job: JobClient): readonly ToldPublication[] {
    const { name, items, publications } = job;
    const versions = versionsOf(job, this.#service.articles);
    const taken = this.#takenPublications.flatMap((one) => (one.job === name ? [{ ...one, publication: null }] : []));
    return [...publications, ...taken].map(({ index, publication, at }) => {
      const text = textOf(items[index] ?? { articleId: '' });
      const isLater = (version: number, other: number) =>
        other > index && version > 0 && textOf(items[other] ?? { articleId: '' }) === text;
      const to = versions.find(isLater) ?? Number.POSITIVE_INFINITY;
      return { job: name, text, from: versions[index] ?? 0, to, publication, at };
    });
  }

  #kill(index: number): void {
    const gateway = this.#gateways[index];
    if (!gateway) return;
    this.#kills += 1;
    gateway.kill();
    this.#gateways[index] = null;
    this.#options.time.schedule(this.#options.random.between(50, 20_000), () => this.#start(index));
  }

  #pickGateway(): SimulatedGateway | null {
    const [first, ...others] = this.#gateways.filter((gateway) => gateway !== null);
    return first === undefined ? null : this.#options.random.pick([first, ...others]);
  }

  #report(): SimulationReport {
    const { received, statuses, articles } = this.#service;
    const told = this.#clients.flatMap((client) => client.told);
    const jobs = this.#clients.filter((client) => client instanceof JobClient);
    const reordered = jobs.flatMap(({ items }) =>
      findReorderedItems(
        articles.written,
        items.map(({ title }) => title ?? ''),
      ),
    );
    const count = (isMet: (outcome: (typeof told)[number]['outcome']) => boolean) =>
      told.filter(({ outcome }) => isMet(outcome)).length;
    return {
      seed: this.#seed,
      violations: [
        ...this.#violations,
        ...findRepeatedItems(received),
        ...findUntrueOutcomes(received, told),
        ...findLateSends(received, [...told, ...this.#takenOver]),
        ...findWrongPublications(
          received,
          jobs.flatMap((job) => this.#publicationsOf(job)),
        ),
        ...reordered,
      ],
      steps: this.#options.time.steps,
      virtualSeconds: Math.round(this.#options.time.now / 1_000),
      met: {
        kills: this.#kills,
        stops: this.#stops,
        received: received.length,
        rateLimited: statuses.filter((status) => status === 429).length,
        unknown: count(({ kind }) => kind === 'unknown'),
        published: received.filter(({ publication, fate }) => publication && fate === 'applied').length,
        readBack: count((outcome) => outcome.kind === 'updated' && outcome.evidence === 'READ_BACK'),
      },
    };
  }
}

/** The time that a call of a job takes at most, once nobody else uses the token: a window that is not told counts as a minute. */
const msOfCall = (busyToken: BusyToken | null): number => {
  if (busyToken === null) return 0;
  const { windowMs = MINUTE_MS, tellsReset, callsPerMinute } = busyToken.service;
  return (tellsReset ? windowMs : MINUTE_MS) / Math.max(1, callsPerMinute - RESERVED_CALLS);
};

const MINUTE_MS = 60_000;

/** The version that an update has made, by its title; 0 where it has made none. */
function versionsOf({ items }: JobClient, articles: ServiceArticles): readonly number[] {
  return items.map(({ articleId, languageCode, title }) => {
    const { titles } = articles.find(articleId, languageCode ?? undefined);
    return titles.indexOf(title ?? '') + 1;
  });
}

function createClients(random: SeededRandom, options: ClientOptions): readonly Client[] {
  const many = (max: number, create: (index: number) => Client) =>
    Array.from({ length: random.between(0, max) }, (_, index) => create(index));
  return [
    new JobClient('job-0', options),
    ...many(2, (index) => new JobClient(`job-${index + 1}`, options)),
    ...many(3, (index) => new InteractiveClient(`interactive-${index}`, options)),
    ...many(2, (index) => new KeyedClient(`keyed-${index}`, options)),
  ];
}

/** Some runs have no faults, others many of a few kinds. */
export function pickServiceFaults(random: SeededRandom) {
  const weight = () => (random.chance(0.4) ? random.next() * 2 : 0);
  return {
    none: 10,
    refused: weight(),
    cutBefore: weight(),
    cutAfter: weight(),
    late: weight(),
    failBefore: weight(),
    failAfter: weight(),
    garbled: weight(),
    itemsFail: weight(),
  };
}

export function pickProcessFaults(random: SeededRandom): ProcessFaults {
  const probability = (max: number) => (random.chance(0.4) ? random.next() * max : 0);
  return {
    stop: probability(0.01),
    cutOff: probability(0.005),
    setClock: probability(0.005),
    beforeRequest: probability(0.1),
  };
}

/** Lists lag in half of the runs, and in some of them the reads of one article, too. */
export function pickReadLags(random: SeededRandom): ReadLags {
  const list = random.chance(0.5) ? random.between(1, 5_000) : 0;
  return { list, article: list > 0 && random.chance(0.3) ? random.between(1, list) : 0 };
}

export function pickDiskFaults(random: SeededRandom): DiskFaults {
  const probability = (max: number) => (random.chance(0.3) ? random.next() * max : 0);
  return { failBefore: probability(0.1), failAfter: probability(0.1), slow: probability(0.1) };
}
