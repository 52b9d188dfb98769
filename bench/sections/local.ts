import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../harness/processes.ts';
import { measure, openStage, putLoad } from '../harness/setup.ts';
import { median } from '../harness/statistics.ts';
import { articleIdOf } from '../inputs.ts';
import { OURS, OURS_ALONE, type Subject } from '../targets.ts';
import { RESULTS_FOLDER } from './build.ts';
import type { Pace } from './pace.ts';

/** Single-item mutations over the embedded store: every one is on disk before it is answered. */
export interface LocalRow {
  readonly subject: string;
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
  const subjects = [overStore(OURS, 'shared'), overStore(OURS_ALONE, 'alone')];
  await using stage = await openStage({ subjects, latencyMs: 0, settings: {} });
  const rows: LocalRow[] = [];
  for (const connections of CONNECTIONS) {
    const stretch = { operation: 'bulk', items: 1, connections } as const;
    const taken = stage.players.map((player) => ({ player, samples: [] as Awaited<ReturnType<typeof measure>>[] }));
    for (const { player } of taken) await putLoad(stage.load, player, { ...stretch, milliseconds: pace.warmUpMs });
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const { player, samples } of taken) {
        samples.push(await measure(stage.load, player, { ...stretch, milliseconds: pace.sampleMs / 2 }));
      }
    }
    for (const { player, samples } of taken) {
      rows.push({
        subject: player.subject.name,
        connections,
        mutationsPerSecond: median(samples.map(({ requests, seconds }) => requests / seconds)),
        cpuPerMutation: median(samples.map(({ cpuMicros, requests }) => cpuMicros / requests)),
        p50: median(samples.map(({ p50 }) => p50)),
        p99: median(samples.map(({ p99 }) => p99)),
      });
    }
  }
  return rows;
}

/** The subject over a store of its own that holds the articles it is asked to change. */
function overStore(subject: Subject, name: string): Subject {
  const env = { DATABASE_URL: `sqlite:${join(FOLDER, `${name}.db`)}`, API_TOKEN: 'bench', DEMO_DATA: 'false' };
  const file = join(FOLDER, 'articles.json');
  writeFileSync(file, JSON.stringify(knowledgeBase(Math.max(...CONNECTIONS))));
  const args = [join(REPOSITORY, 'src/main.ts'), 'import', file];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The import failed:\n${stderr}`);
  return { ...subject, env: { ...subject.env, ...env, UPSTREAM_URL: '' } };
}

/** One article for each connection, in the format that `kb-gateway import` reads. */
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
