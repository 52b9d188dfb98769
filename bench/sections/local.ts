import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../harness/processes.ts';
import { measure, openSetup, runLoad } from '../harness/setup.ts';
import { median } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { articleIdOf } from '../inputs.ts';
import { OURS, OURS_ALONE, type Target } from '../targets.ts';
import { RESULTS_FOLDER } from './build.ts';
import { type Pace, warmUpTarget } from './pace.ts';

/** Mutations of a single item over the embedded store, each on disk before its response. */
export interface LocalRow {
  readonly target: string;
  readonly connections: number;
  readonly mutationsPerSecond: number;
  readonly cpuPerMutation: number;
  readonly p50: number;
  readonly p99: number;
}

export const CONNECTIONS = [1, 16, 64, 256] as const;
const FOLDER = join(RESULTS_FOLDER, 'local');

export async function measureLocal(pace: Pace): Promise<readonly LocalRow[]> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const targets = [overStore(OURS, 'shared'), overStore(OURS_ALONE, 'alone')];
  return withResource(openSetup({ targets, latencyMs: 0, settings: {} }), async (setup) => {
    const rows: LocalRow[] = [];
    for (const connections of CONNECTIONS) {
      const phase = { operation: 'bulk', items: 1, connections } as const;
      const series = setup.processes.map((targetProcess) => ({
        targetProcess,
        samples: [] as Awaited<ReturnType<typeof measure>>[],
      }));
      for (const { targetProcess } of series)
        await warmUpTarget(pace.warmUp, (milliseconds) =>
          runLoad(setup.load, targetProcess, { ...phase, milliseconds }),
        );
      for (let round = 0; round < pace.rounds; round += 1) {
        for (const { targetProcess, samples } of series) {
          samples.push(await measure(setup.load, targetProcess, { ...phase, milliseconds: pace.sampleMs / 2 }));
        }
      }
      for (const { targetProcess, samples } of series) {
        rows.push({
          target: targetProcess.target.name,
          connections,
          mutationsPerSecond: median(samples.map(({ requests, seconds }) => requests / seconds)),
          cpuPerMutation: median(samples.map(({ cpuMicros, requests }) => cpuMicros / requests)),
          p50: median(samples.map(({ p50 }) => p50)),
          p99: median(samples.map(({ p99 }) => p99)),
        });
      }
    }
    return rows;
  });
}

/** Returns the target with a store of its own that contains the articles to update. */
function overStore(target: Target, name: string): Target {
  const env = { DATABASE_URL: `sqlite:${join(FOLDER, `${name}.db`)}`, API_TOKEN: 'bench', DEMO_DATA: 'false' };
  const file = join(FOLDER, 'articles.json');
  writeFileSync(file, JSON.stringify(knowledgeBase(Math.max(...CONNECTIONS))));
  const args = [join(REPOSITORY, 'src/main.ts'), 'import', file];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The import failed:\n${stderr}`);
  return { ...target, env: { ...target.env, ...env, UPSTREAM_URL: '' } };
}

/** One article per connection, in the format of `kb-gateway import`. */
const knowledgeBase = (articles: number) => ({
  project_versions: [{ id: 'version-1', name: 'Version 1', is_default: true }],
  languages: [{ code: 'en', name: 'English', is_default: true, project_version_id: 'version-1' }],
  categories: [{ id: 'category-0', project_version_id: 'version-1', parent_category_id: null, name: 'All', order: 1 }],
  articles: Array.from({ length: articles }, (_, connection) => ({
    id: articleIdOf(connection, 0),
    project_version_id: 'version-1',
    category_id: 'category-0',
    slug: `article-${connection}`,
    order: connection + 1,
    hidden: false,
    content_type: 'markdown',
    versions: [{ lang_code: 'en', version_number: 1, title: 'Draft', content: 'Soon.', translation_option: '0' }],
  })),
  readers: [],
  invited_sso_users: [],
  reader_groups: [],
});
