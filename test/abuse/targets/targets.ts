import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGateway } from '../../support/process.ts';
import { type MeasuredGateway, startMeasuredGateway } from '../measure/measured-gateway.ts';
import { TOKEN } from '../target.ts';
import { type KnowledgeFile, readKnowledge } from './knowledge.ts';
import { startLargeService } from './service.ts';
import { SERVICE_IDS } from './service-answers.ts';

/** The backends of the attacked gateways: a store, a store with introspection off, and a service. */
export const TARGETS = ['store', 'closed', 'service'] as const;

export type TargetName = (typeof TARGETS)[number];

/** IDs that exist in a target, by resource. */
export interface KnownIds {
  readonly projectVersions: readonly string[];
  readonly languages: readonly string[];
  readonly categories: readonly string[];
  readonly articles: readonly string[];
  readonly groups: readonly string[];
  readonly readers: readonly string[];
  readonly invited: readonly string[];
}

/** The gateways that can be attacked, each with fresh data. */
export interface Targets {
  readonly ids: Readonly<Record<TargetName, KnownIds>>;
  /** The running gateway; started when there is none. */
  running(name: TargetName): Promise<MeasuredGateway>;
  /** Stops the running gateway and starts another with fresh data. */
  restart(name: TargetName): Promise<MeasuredGateway>;
  stop(): Promise<void>;
}

export async function openTargets(): Promise<Targets> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-abuse-'));
  const knowledge = await readKnowledge();
  await writeFile(join(folder, 'kb.json'), JSON.stringify(knowledge));
  const settings = { DATABASE_URL: `sqlite:${join(folder, 'kb.db')}`, API_TOKEN: TOKEN };
  const imported = await runGateway(['import', 'kb.json'], { cwd: folder, settings });
  if (imported.code !== 0) throw new Error(`The import ended with ${imported.code}: ${imported.stderr}`);
  const service = await startLargeService(TOKEN);
  const gateways = new Map<TargetName, MeasuredGateway>();
  let starts = 0;

  const start = async (name: TargetName): Promise<MeasuredGateway> => {
    const cwd = join(folder, `${name}-${++starts}`);
    await mkdir(cwd);
    const overService = { UPSTREAM_URL: service.url, READ_CACHE_SECONDS: '0' };
    const overStore = { DATABASE_URL: `sqlite:${join(cwd, 'kb.db')}`, API_TOKEN: TOKEN, DEMO_DATA: 'false' };
    if (name !== 'service') await copyFile(join(folder, 'kb.db'), join(cwd, 'kb.db'));
    const gateway = await startMeasuredGateway(cwd, {
      ...(name === 'service' ? overService : overStore),
      ...(name === 'closed' ? { INTROSPECTION: 'off' } : {}),
    });
    gateways.set(name, gateway);
    return gateway;
  };

  return {
    ids: { store: idsOf(knowledge), closed: idsOf(knowledge), service: SERVICE_IDS },
    running: async (name) => {
      const gateway = gateways.get(name);
      return gateway?.isAlive() ? gateway : start(name);
    },
    restart: async (name) => {
      await gateways.get(name)?.stop();
      return start(name);
    },
    stop: async () => {
      for (const gateway of gateways.values()) await gateway.stop();
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The most IDs of a resource; the items that are made to be large come first. */
const MAX_IDS = 200;

function idsOf(knowledge: KnowledgeFile): KnownIds {
  const some = <T>(items: readonly T[], idOf: (item: T) => string): readonly string[] =>
    items.slice(0, MAX_IDS).map(idOf);
  return {
    projectVersions: some(knowledge.project_versions, ({ id }) => id),
    languages: ['en', 'fr', 'es', 'ja'],
    categories: some(knowledge.categories, ({ id }) => id),
    articles: some(knowledge.articles, ({ id }) => id),
    groups: some(knowledge.reader_groups, ({ reader_group_id }) => reader_group_id),
    readers: some(knowledge.readers, ({ reader_id }) => reader_id),
    invited: some(knowledge.invited_sso_users, ({ invitation_id }) => invitation_id),
  };
}
