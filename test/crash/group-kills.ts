import { randomInt } from 'node:crypto';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { list } from '../support/repeat.ts';
import { inFolder } from './gateways.ts';
import { type ChangeOutcome, type GroupChange, sendChange } from './group-changes.ts';
import { type GroupService, openGroupService } from './group-service.ts';

export interface GroupKillPlan {
  readonly changes: number;
  readonly kills: number;
  /** The state that the gateways share, in PostgreSQL. */
  readonly stateUrl: string;
  /** `performance.now()` after which no further change is sent. */
  readonly until: number;
}

export interface GroupKillReport {
  readonly kills: number;
  /** The changes by what their callers were told in the end. */
  readonly outcomes: Readonly<Record<ChangeOutcome, number>>;
  /** Changes that were acknowledged, or surely not sent, and of which the group shows the contrary. */
  readonly contradicted: readonly string[];
  readonly sentTwice: readonly string[];
  /** PUTs that undid the change of another. */
  readonly undoing: readonly string[];
  readonly surprises: readonly string[];
}

const GATEWAYS = 4;
const CLIENTS = 12;
const UPSTREAM_TIMEOUT_MS = 1_500;

const TOKEN = 'gateway-token';

/** On a busy machine a call of the state may take too long. The change is then not sent, and comes again. */
const SLOW_STATE = 'the shared state is unavailable';

interface Scene {
  readonly plan: GroupKillPlan;
  readonly cwd: string;
  readonly service: GroupService;
  /** Null while it is started anew. */
  readonly gateways: (RunningGateway | null)[];
  readonly outcomes: Map<GroupChange, ChangeOutcome>;
  readonly surprises: string[];
  kills: number;
}

/**
 * Clients add and remove members of one group through several gateways, and each time that a part of the changes has
 * ended, the gateway that holds the lock is killed while the service has its PUT. The PUT takes effect later all the same.
 */
export const killGroupWriters = (plan: GroupKillPlan): Promise<GroupKillReport> =>
  inFolder(async (cwd) => {
    const changes = list(plan.changes, changeOf);
    const service = await openGroupService(changes.flatMap(({ adds, readerId }) => (adds ? [] : [readerId])));
    const scene: Scene = { plan, cwd, service, gateways: [], outcomes: new Map(), surprises: [], kills: 0 };
    try {
      // One after another, since the first creates the state.
      for (let index = 0; index < GATEWAYS; index += 1) scene.gateways.push(await startGateway(scene));
      const queue = [...changes];
      const sending = Promise.all(list(CLIENTS, () => sendChanges(scene, queue)));
      await Promise.all([sending, killHolders(scene, sending)]);
      return reportOf(scene);
    } finally {
      await Promise.all(scene.gateways.map((gateway) => gateway && endGateway(scene, gateway)));
      await service.close();
    }
  });

/** Each change has a reader of its own, so that the group shows at the end which of them it has. */
const changeOf = (index: number): GroupChange => ({
  name: `change-${index}`,
  adds: index % 2 === 0,
  readerId: `r${index}`,
});

const startGateway = ({ cwd, service, plan }: Scene): Promise<RunningGateway> =>
  startGatewayProcess({
    cwd,
    settings: {
      UPSTREAM_URL: service.url,
      UPSTREAM_API_TOKEN: 'service-token',
      UPSTREAM_TIMEOUT_MS: `${UPSTREAM_TIMEOUT_MS}`,
      API_TOKEN: TOKEN,
      STATE_URL: plan.stateUrl,
      LOG_LEVEL: 'warn',
    },
  });

async function sendChanges({ plan, gateways, outcomes }: Scene, queue: GroupChange[]): Promise<void> {
  while (performance.now() < plan.until) {
    const change = queue.shift();
    if (change === undefined) return;
    const send = { token: TOKEN, until: plan.until, pick: () => pick(gateways) };
    outcomes.set(change, await sendChange(change, send));
  }
}

/** One of the gateways that run, with its place among all, which a request ID names. */
function pick(gateways: readonly (RunningGateway | null)[]) {
  const running = gateways.flatMap((gateway, index) => (gateway ? [{ index, url: gateway.url }] : []));
  return running[randomInt(running.length)] ?? { index: 0, url: '' };
}

/** Ends once nothing more is sent. */
async function killHolders(scene: Scene, sending: Promise<unknown>): Promise<void> {
  const { plan, service, gateways, outcomes } = scene;
  while (scene.kills < plan.kills) {
    await ended(scene, () => outcomes.size >= (plan.changes * (scene.kills + 0.5)) / plan.kills - CLIENTS);
    const put = await Promise.race([service.holdNextPut(), sending.then(() => null)]);
    if (put === null) return;
    const index = Number(put.requestId.split('.').at(-1));
    const gateway = gateways[index];
    if (!gateway) throw new Error(`The PUT ${put.requestId} is of no gateway that runs.`);
    gateways[index] = null;
    await endGateway(scene, gateway);
    put.land(randomInt(UPSTREAM_TIMEOUT_MS));
    scene.kills += 1;
    gateways[index] = await startGateway(scene);
  }
}

async function ended({ plan }: Scene, isReached: () => boolean): Promise<void> {
  while (!isReached() && performance.now() < plan.until) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function endGateway({ surprises }: Scene, gateway: RunningGateway): Promise<void> {
  const { log, stderr } = await gateway.stop('SIGKILL');
  const isSurprise = (line: string) => line.includes('"level":"error"') && !line.includes(SLOW_STATE);
  surprises.push(...log.split('\n').filter(isSurprise));
  if (stderr !== '') surprises.push(stderr);
}

function reportOf({ service, outcomes, surprises, kills }: Scene): GroupKillReport {
  const members = service.members();
  const isApplied = ({ adds, readerId }: GroupChange) => members.has(readerId) === adds;
  const changes = [...outcomes];
  const count = (outcome: ChangeOutcome) => changes.filter(([, reached]) => reached === outcome).length;
  const changesSent = service.puts.map((requestId) => requestId.split('.')[0] ?? '');
  const contradicted = changes.filter(
    ([change, outcome]) => outcome !== 'unknown' && isApplied(change) !== (outcome === 'acknowledged'),
  );
  return {
    kills,
    outcomes: { acknowledged: count('acknowledged'), unsent: count('unsent'), unknown: count('unknown') },
    contradicted: contradicted.map(([{ name }, outcome]) => `${name}: ${outcome}`),
    sentTwice: changesSent.filter((name, index) => changesSent.indexOf(name) !== index),
    undoing: service.undoing,
    surprises: [...surprises, ...service.surprises],
  };
}
