import { createInterface } from 'node:readline/promises';
import { openLocalBackend } from '../../../src/backend/local/local-backend.ts';
import type { ArticleUpdate } from '../../../src/domain/articles/bulk-updates.ts';
import { silent } from '../../../src/domain/log.ts';

/*
 * Run by itself, four times over one database: writes to all articles and to all groups what only writer `n` writes, and
 * to every title what all writers write. Begins when it is told to, and says what became of its writes.
 */
const [databaseUrl = '', writer = '', articles = '', groups = '', rounds = ''] = process.argv.slice(2);
const n = Number(writer);
const caller = { apiToken: 'token', address: '', requestId: 'request', deadline: Number.POSITIVE_INFINITY };
const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silent });

const OWN: readonly ((round: number) => Partial<ArticleUpdate>)[] = [
  (round) => ({ content: `Content ${round}` }),
  (round) => ({ order: round + 1 }),
  (round) => ({ source: `Source ${round}` }),
  (round) => ({ translationStatus: round % 2 === 0 ? 'NONE' : 'TRANSLATED' }),
];

/** No two writers name the articles in the same order. */
const orderOf = (round: number): readonly string[] => {
  const ids = Array.from({ length: Number(articles) }, (_, index) => `article-${index}`);
  const turned = n % 2 === 0 ? ids : ids.toReversed();
  const start = (round * 37 + n * 11) % turned.length;
  return [...turned.slice(start), ...turned.slice(0, start)];
};

async function updateArticles(round: number): Promise<readonly string[]> {
  const own = OWN[n]?.(round);
  const updates = orderOf(round).map((articleId) => ({ articleId, title: `Writer ${n}, round ${round}`, ...own }));
  const answer = await store.bulkUpdateArticles(caller, updates);
  return answer.ok ? answer.value.outcomes.map(({ kind }) => kind) : [answer.error.kind];
}

const nobody = { addReaderIds: [], removeReaderIds: [], addInvitedSsoUserIds: [], removeInvitedSsoUserIds: [] };

/** Adds one reader to each group, and takes the one of the round before out again unless that round was even. */
async function changeMembers(round: number): Promise<readonly string[]> {
  const answers = await Promise.all(
    Array.from({ length: Number(groups) }, (_, index) =>
      store.changeReaderGroupMembers(caller, {
        ...nobody,
        groupId: `group-${index}`,
        addReaderIds: [`reader-${n}-${round}`],
        removeReaderIds: round % 2 === 0 && round > 0 ? [`reader-${n}-${round - 1}`] : [],
      }),
    ),
  );
  return answers.map((answer) => (answer.ok ? 'changed' : answer.error.kind));
}

/** Leaves the members out: they are to stay. */
async function renameGroup(round: number): Promise<readonly string[]> {
  const groupId = `group-${(n + round) % Number(groups)}`;
  const accessScope = { level: 'PROJECT' } as const;
  const answer = await store.updateReaderGroup(caller, { groupId, title: `Writer ${n}`, accessScope });
  return [answer.ok ? 'renamed' : answer.error.kind];
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
