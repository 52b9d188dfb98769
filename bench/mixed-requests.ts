import { SeededRandom } from '../test/simulation/world/random.ts';
import type { Dialect } from './documents.ts';
import { bytesOf } from './harness/http-request.ts';
import type { Arrival } from './harness/rpc.ts';
import { articleIdOf, groupIdOf } from './inputs.ts';
import { EDITION, idOf } from './reads/knowledge-base.ts';
import { readBodyOf } from './reads/requests.ts';
import { requestOf } from './workloads.ts';

/** The requests of ten: an article by its ID, an update of one article, and one of a reader group. */
const MIX = { read: 5, bulk: 4, group: 1 } as const;

type Kind = keyof typeof MIX;

/** One request of a client. No two of a plan have their article or group in common. */
export interface MixedRequest extends Arrival {
  readonly kind: Kind;
  readonly token: string;
  /** The ID of the article or group that it is about. */
  readonly subject: string;
}

export interface Plan {
  readonly dialect: Dialect;
  /** The number of the first request. Plans that share none have no article or group in common. */
  readonly from: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Names of the tokens. Clients share them evenly. */
  readonly tokens: readonly string[];
  readonly clients: number;
}

/** Requests of random clients at random times, as many a second as asked on average (a Poisson process); always the same. */
export function planRequests(plan: Plan): readonly MixedRequest[] {
  const random = new SeededRandom(plan.from);
  const requests: MixedRequest[] = [];
  let atMs = 0;
  while (true) {
    atMs += (-Math.log(1 - random.next()) * 1_000) / plan.perSecond;
    if (atMs >= plan.seconds * 1_000) return requests;
    const client = random.between(0, plan.clients - 1);
    const token = plan.tokens[client % plan.tokens.length] ?? '';
    const number = plan.from + requests.length;
    requests.push({ atMs, ...mixedRequest(plan.dialect, random.pickWeighted(MIX), { number, token }) });
  }
}

/** The same kinds of requests in turn, as many as asked. */
export const mixedRequests = (
  dialect: Dialect,
  { from, count, token }: { from: number; count: number; token: string },
) =>
  Array.from({ length: count }, (_, index) => {
    const kind = index % 2 === 0 ? 'read' : index % 10 === 9 ? 'group' : 'bulk';
    return mixedRequest(dialect, kind, { number: from + index, token });
  });

function mixedRequest(dialect: Dialect, kind: Kind, { number, token }: { number: number; token: string }) {
  const subject = subjectOf(kind, number);
  const parts = kind === 'read' ? readOf(dialect, subject) : requestOf({ dialect, operation: kind, items: 1 }, number);
  const mark = kind === 'group' ? GROUP_MARKS[dialect] : subject;
  return { kind, token, subject, mark, request: bytesOf({ ...parts, token }).toString() };
}

function subjectOf(kind: Kind, number: number): string {
  if (kind === 'group') return groupIdOf(number);
  return kind === 'read' ? idOf(6, number) : articleIdOf(number, 0);
}

const readOf = (dialect: Dialect, articleId: string) =>
  dialect === 'rest'
    ? { method: 'GET', path: `/v2/Articles/${articleId}/${EDITION.languageCode}`, body: null }
    : { method: 'POST', path: '/graphql', body: readBodyOf({ dialect, operation: 'read-article' }, articleId) };

const GROUP_MARKS: Record<Dialect, string> = {
  graphql: '"UpdateReaderGroupPayload"',
  hive: '"success":true',
  rest: '"success":true',
};
