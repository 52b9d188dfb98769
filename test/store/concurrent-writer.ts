import { createInterface } from 'node:readline/promises';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';

/*
 * A program that a test runs four times over one database. Writer `n` writes a member of its own to all articles and
 * groups, and the title that all writers write. It starts on a line of input, and prints the number of its outcomes by
 * kind.
 */
const [databaseUrl = '', writer = '', articles = '', groups = '', rounds = ''] = process.argv.slice(2);
const n = Number(writer);
const caller = {
  apiToken: 'token',
  address: '',
  request: createRequestFacts({ id: 'request' }),
  deadline: Number.POSITIVE_INFINITY,
  requestTimeoutMs: 30_000,
};
const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silentLog });

const OWN: readonly ((round: number) => Partial<ArticleUpdate>)[] = [
  (round) => ({ content: `Content ${round}` }),
  (round) => ({ order: round + 1 }),
  (round) => ({ source: `Source ${round}` }),
  (round) => ({ translationStatus: round % 2 === 0 ? 'NONE' : 'TRANSLATED' }),
];

/** Every writer has another order of the articles. */
const orderOf = (round: number): readonly string[] => {
  const ids = Array.from({ length: Number(articles) }, (_, index) => `article-${index}`);
  const sorted = n % 2 === 0 ? ids : ids.toReversed();
  const start = (round * 37 + n * 11) % sorted.length;
  return [...sorted.slice(start), ...sorted.slice(0, start)];
};

async function updateArticles(round: number): Promise<readonly string[]> {
  const own = OWN[n]?.(round);
  const updates = orderOf(round).map((articleId) => ({ articleId, title: `Writer ${n}, round ${round}`, ...own }));
  const result = await store.bulkUpdateArticles(caller, updates);
  return result.ok ? result.value.outcomes.map(({ kind }) => kind) : [result.error.kind];
}

const nobody = { addReaderIds: [], removeReaderIds: [], addInvitedSsoUserIds: [], removeInvitedSsoUserIds: [] };

/** Adds one reader to each group. Even rounds remove the reader of the round before. */
async function changeMembers(round: number): Promise<readonly string[]> {
  const results = await Promise.all(
    Array.from({ length: Number(groups) }, (_, index) =>
      store.changeReaderGroupMembers(caller, {
        ...nobody,
        groupId: `group-${index}`,
        addReaderIds: [`reader-${n}-${round}`],
        removeReaderIds: round % 2 === 0 && round > 0 ? [`reader-${n}-${round - 1}`] : [],
      }),
    ),
  );
  return results.map((result) => (result.ok ? 'changed' : result.error.kind));
}

/** Leaves the members out, which keeps them. */
async function renameGroup(round: number): Promise<readonly string[]> {
  const groupId = `group-${(n + round) % Number(groups)}`;
  const accessScope = { level: 'PROJECT' } as const;
  const result = await store.updateReaderGroup(caller, { groupId, title: `Writer ${n}`, accessScope });
  return [result.ok ? 'renamed' : result.error.kind];
}

process.stdout.write('ready\n');
await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const outcomes: string[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  const made = await Promise.all([updateArticles(round), changeMembers(round), renameGroup(round)]);
  outcomes.push(...made.flat());
}
await store.close();
const counts = Object.groupBy(outcomes, (kind) => kind);
process.stdout.write(
  `${JSON.stringify(Object.fromEntries(Object.entries(counts).map(([kind, all]) => [kind, all?.length])))}\n`,
);
process.exit();
