import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../simulation/world/random.ts';
import { list } from '../support/repeat.ts';
import { Client } from './client.ts';
import { GatewaySlot, type Trouble } from './gateway-slot.ts';
import { Knowledge } from './knowledge.ts';
import { CLIENTS } from './settings.ts';
import { openVersionedService, type VersionedService } from './versioned-service.ts';

export interface GatewaysPlan {
  /** Decides what each client does, in its order, and the troubles of the gateways. */
  readonly seed: number;
  /** Null for one gateway that shares no state, and gets into no trouble: a kill would cost it its marks. */
  readonly stateUrl: string | null;
  readonly gateways: number;
  readonly ms: number;
}

export interface GatewaysReport {
  /** What must not happen; each is a bug. */
  readonly findings: readonly string[];
  readonly counts: Knowledge['counts'];
  readonly troubles: Readonly<Partial<Record<Trouble, number>>>;
  /** The calls that the service got, and those of them that got a 429. */
  readonly calls: number;
  readonly refused: number;
}

/** How long the gateways are left in peace between their troubles. */
const PEACE_MS = { min: 1_000, max: 10_000 } as const;
/** Once all troubles are over, each gateway does everything again within this time. */
const LONGEST_RECOVERY_MS = 60_000;

/**
 * Runs several gateway processes with one state in PostgreSQL, and clients that read and write through any of them. The
 * gateways are killed, stopped and cut off from the state meanwhile. Compares what the clients are told with what the
 * service has been.
 */
export async function runGateways({ seed, stateUrl, gateways, ms }: GatewaysPlan): Promise<GatewaysReport> {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-gateways-'));
  const service = await openVersionedService(seed);
  const slots: GatewaySlot[] = [];
  try {
    for (let index = 0; index < gateways; index += 1) {
      slots.push(await GatewaySlot.open({ cwd, serviceUrl: service.url, stateUrl }));
    }
    return await runTroubled({ seed, ms, service, slots, isShared: stateUrl !== null });
  } finally {
    await Promise.all(slots.map((slot) => slot.close()));
    await service.close();
    await rm(cwd, { recursive: true });
  }
}

interface Scene extends Pick<GatewaysPlan, 'seed' | 'ms'> {
  readonly service: VersionedService;
  readonly slots: readonly GatewaySlot[];
  readonly isShared: boolean;
}

async function runTroubled({ seed, ms, service, slots, isShared }: Scene): Promise<GatewaysReport> {
  const knowledge = new Knowledge(service);
  const until = performance.now() + ms;
  const clientAt = (index: number) =>
    new Client({ name: `c${index}`, random: new SeededRandom(seed * 1_000 + index), service, slots, knowledge });
  const troubles: Trouble[] = [];
  await Promise.all([
    ...list(CLIENTS, (index) => clientAt(index).run(until)),
    isShared && makeTrouble({ random: new SeededRandom(seed), slots, until, troubles }),
  ]);
  await awaitRecovery(clientAt(CLIENTS), slots, knowledge);
  knowledge.checkEnd();
  const counted = Object.groupBy(troubles, (trouble) => trouble);
  return {
    findings: [...knowledge.findings, ...slots.flatMap((slot) => slot.bugs())],
    counts: knowledge.counts,
    troubles: Object.fromEntries(Object.entries(counted).map(([trouble, all]) => [trouble, all.length])),
    calls: service.calls(),
    refused: service.refused(),
  };
}

interface TroubleOptions {
  readonly random: SeededRandom;
  readonly slots: readonly GatewaySlot[];
  readonly until: number;
  readonly troubles: Trouble[];
}

/** Lets one or several gateways at a time get into trouble, and leaves them in peace between. */
async function makeTrouble({ random, slots, until, troubles }: TroubleOptions): Promise<void> {
  while (performance.now() < until) {
    await sleep(random.between(PEACE_MS.min, PEACE_MS.max));
    const victims = slots.filter(() => random.chance(0.5));
    troubles.push(...(await Promise.all(victims.map((slot) => slot.suffer(random)))));
  }
}

type Step = 'readArticle' | 'readGroup' | 'writeArticle' | 'changeMembers';
const STEPS: readonly Step[] = ['readArticle', 'readGroup', 'writeArticle', 'changeMembers'];

async function awaitRecovery(client: Client, slots: readonly GatewaySlot[], { report }: Knowledge): Promise<void> {
  const until = performance.now() + LONGEST_RECOVERY_MS;
  for (const slot of slots) {
    for (const step of STEPS) {
      let isDone = await client[step](slot);
      while (!isDone && performance.now() < until) {
        await sleep(100);
        isDone = await client[step](slot);
      }
      if (!isDone) report(`${step} does not work again after the troubles`);
    }
  }
}
