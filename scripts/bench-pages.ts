/**
 * `npm run bench:pages` measures the time of a page of articles by its position, in an embedded store with 100,000
 * articles.
 */

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/core/base/log.ts';
import { createRequestFacts } from '../src/core/callers/request-facts.ts';
import { openLocalBackend } from '../src/store/local-backend.ts';

const ARTICLES = 100_000;
const PAGE = 100;
const ROUNDS = 25;

const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-pages-'));
const backend = await openLocalBackend({
  databaseUrl: `sqlite:${join(folder, 'kb.db')}`,
  apiTokens: ['t'],
  log: silentLog,
});
await backend.importKnowledgeBase(
  {
    project_versions: [{ id: 'v', name: 'v', is_default: true }],
    languages: [{ code: 'en', name: 'English', is_default: true, project_version_id: 'v' }],
    categories: [{ id: 'c', project_version_id: 'v', parent_category_id: null, name: 'c', order: 1 }],
    team_accounts: [],
    articles: Array.from({ length: ARTICLES }, (_, index) => ({
      id: `a${String(index).padStart(6, '0')}`,
      project_version_id: 'v',
      category_id: 'c',
      slug: null,
      order: index + 1,
      hidden: false,
      content_type: 'markdown',
      versions: [
        { lang_code: 'en', version_number: 1, title: `Title ${index}`, content: 'Text', translation_option: '0' },
      ],
    })),
    readers: [],
    invited_sso_users: [],
    reader_groups: [],
  },
  () => {},
);

const caller = {
  apiToken: 't',
  address: '',
  request: createRequestFacts({ id: 'bench' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};

async function page(categoryId: string | undefined, after: string | null) {
  const answer = await backend.listArticles(caller, { categoryId }, { limit: PAGE, after });
  if (!answer.ok || !answer.value) throw new Error('The page could not be read.');
  return answer.value;
}

/** The cursors before some pages, found by reading all pages up to them. */
async function cursorsOf(categoryId: string | undefined): Promise<ReadonlyMap<number, string | null>> {
  const cursors = new Map<number, string | null>();
  let after: string | null = null;
  for (let number = 1; number <= 1_000; number++) {
    if ([1, 10, 100, 1_000].includes(number)) cursors.set(number, after);
    after = (await page(categoryId, after)).edges.at(-1)?.cursor ?? null;
  }
  return cursors;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

for (const [name, categoryId] of [
  ['all articles', undefined],
  ['one category', 'c'],
] as const) {
  const times = new Map<number, number[]>();
  const cursors = await cursorsOf(categoryId);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [number, after] of cursors) {
      const start = performance.now();
      await page(categoryId, after);
      times.set(number, [...(times.get(number) ?? []), performance.now() - start]);
    }
  }
  const rows = [...times].map(([number, taken]) => `page ${number}: ${median(taken).toFixed(2)} ms`);
  process.stdout.write(`${name}: ${rows.join(', ')} (median of ${ROUNDS}, ${PAGE} articles a page)\n`);
}
await backend.close();
rmSync(folder, { recursive: true });
