import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../support/embedded-postgres.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import type { RunningGateway } from '../support/process.ts';
import { askOf, inFolder, interruptStart, StoreAway, start } from './gateways.ts';
import { checkAll, type KillPlan } from './kills.ts';
import { fillDatabase, type Settings, settingsOver } from './knowledge.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { damageOf, killConnection, killServer } from './postgres-victims.ts';
import { type Ask, createSubjects, type Subject } from './subjects.ts';

/**
 * The victims: the gateway, twice, the second time during its start; the server; the server's process of one
 * connection.
 */
const VICTIMS = ['gateway', 'server', 'connection'] as const;
type Victim = (typeof VICTIMS)[number];

export interface PostgresKillReport {
  readonly ledger: Ledger;
  readonly kills: number;
  /** The problems that PostgreSQL found in its files after the kills. */
  readonly damage: readonly string[];
  /** Milliseconds from a kill until a write was acknowledged again, by victim. */
  readonly pausesMs: Readonly<Record<Victim, readonly number[]>>;
  /** The log lines of the gateways about errors other than an unavailable store. */
  readonly bugs: readonly string[];
}

interface Scene {
  readonly cwd: string;
  readonly server: PostgresServer;
  readonly databaseUrl: string;
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly subjects: readonly Subject[];
  readonly bugs: string[];
  /** The running gateway. */
  gateway: RunningGateway;
}

const READERS = 2;
const PAUSE_MS = 20;
/** A store that was killed must be available again within this time. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * The same test as for SQLite, with PostgreSQL and with clients that continue: at a random moment the gateway or a part
 * of PostgreSQL is killed, in turn. A gateway whose PostgreSQL was killed is not restarted.
 */
export const killGatewayAndPostgres = (plan: KillPlan): Promise<PostgresKillReport> =>
  inFolder(async (cwd) => {
    const server = await startPostgres({});
    try {
      return await killInTurn(plan, await openScene(cwd, server));
    } finally {
      await server.stop();
    }
  });

async function openScene(cwd: string, server: PostgresServer): Promise<Scene> {
  const { url: databaseUrl } = await createPostgresDatabase(server.url);
  await fillDatabase(databaseUrl);
  const settings = settingsOver(databaseUrl);
  const { gateway } = await start(cwd, settings);
  // The content of an article is read by a second statement, and others may write between the two.
  const ledger = createLedger({ readsOneMoment: false });
  return { cwd, server, databaseUrl, settings, gateway, ledger, subjects: createSubjects(), bugs: [] };
}

async function killInTurn(plan: KillPlan, scene: Scene): Promise<PostgresKillReport> {
  const { ledger, bugs } = scene;
  const damage: string[] = [];
  const pausesMs: Record<Victim, number[]> = { gateway: [], server: [], connection: [] };
  let kills = 0;
  const isDone = () => kills >= plan.kills && ledger.acknowledged.writes >= plan.writes;
  for (let round = 0; !isDone() && performance.now() < plan.until; round += 1) {
    const victim = VICTIMS[round % VICTIMS.length] ?? 'gateway';
    pausesMs[victim].push(await killWhileBusy(scene, victim, plan.longestLife));
    kills += victim === 'gateway' ? 2 : 1;
    await checkAll(ledger, askUntilAvailable(scene), scene.subjects);
    damage.push(...(await damageOf(scene.databaseUrl)));
  }
  await endGateway(scene, 'SIGTERM');
  return { ledger, kills, damage, pausesMs, bugs };
}

/** Lets clients write and read until the victim was killed and they write again; returns that time in milliseconds. */
async function killWhileBusy(scene: Scene, victim: Victim, longestLife: number): Promise<number> {
  const { ledger } = scene;
  const stop = new AbortController();
  const clients = keepBusy(scene, stop.signal);
  await sleep(randomInt(50, longestLife));
  const killedAt = performance.now();
  await KILL[victim](scene);
  const before = ledger.acknowledged.writes;
  while (ledger.acknowledged.writes === before) {
    if (performance.now() - killedAt > LONGEST_PAUSE_MS) throw new Error(`No write since the ${victim} was killed.`);
    await sleep(1);
  }
  const pause = performance.now() - killedAt;
  stop.abort();
  await clients;
  return pause;
}

const KILL: Readonly<Record<Victim, (scene: Scene) => Promise<void>>> = {
  gateway: async (scene) => {
    await endGateway(scene, 'SIGKILL');
    await interruptStart(scene.cwd, scene.settings);
    scene.gateway = (await start(scene.cwd, scene.settings)).gateway;
  },
  server: ({ server }) => killServer(server),
  connection: ({ databaseUrl }) => killConnection(databaseUrl),
};

async function endGateway({ gateway, bugs }: Scene, signal: NodeJS.Signals): Promise<void> {
  const { log } = await gateway.stop(signal);
  const errors = log.split('\n').filter((line) => line.includes('"level":"error"'));
  bugs.push(
    ...errors.filter(
      (line) =>
        !/The (?:store|state) cannot be (?:read|written|read or written)\.|the state of jobs is unavailable/u.test(
          line,
        ),
    ),
  );
}

/** Sends queries to the running gateway. */
const askNow =
  (scene: Scene): Ask =>
  (query, variables) =>
    askOf(scene.gateway)(query, variables);

/** Repeats a query until the store is available again. */
const askUntilAvailable =
  (scene: Scene): Ask =>
  async (query, variables) => {
    const until = performance.now() + LONGEST_PAUSE_MS;
    while (true) {
      try {
        return await askNow(scene)(query, variables);
      } catch (error) {
        if (!isOutage(error) || performance.now() > until) throw error;
        await sleep(PAUSE_MS);
      }
    }
  };

/** Runs clients until the signal is aborted; each waits for its response, and pauses when it gets none. */
async function keepBusy(scene: Scene, stop: AbortSignal): Promise<void> {
  const { ledger, subjects } = scene;
  const ask = askNow(scene);
  const persist = async (work: () => Promise<unknown>) => {
    while (!stop.aborted) {
      const isDone = await work().catch((error: unknown) => (isOutage(error) ? false : Promise.reject(error)));
      if (isDone === false) await sleep(PAUSE_MS);
    }
  };
  const writers = subjects.map((subject) => persist(() => ledger.write(ask, subject)));
  const readers = Array.from({ length: READERS }, (_, reader) => {
    let next = reader;
    return persist(async () => {
      const subject = subjects[next++ % subjects.length];
      if (subject) await ledger.check(ask, subject, false);
    });
  });
  await Promise.all([...writers, ...readers]);
}

/**
 * True when the gateway has ended, by the errors of `fetch` and of a truncated body, or reports that the store is
 * unavailable.
 */
const isOutage = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof StoreAway;
