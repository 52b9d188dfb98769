import { setTimeout as sleep } from 'node:timers/promises';
import { encodeArticle } from '../../src/service/v2/articles.ts';
import { encodeReaderGroup } from '../../src/service/v2/reader-groups.ts';
import { SeededRandom } from '../simulation/world/random.ts';
import {
  type Behaviour,
  envelope,
  type FaultyService,
  json,
  openFaultyService,
  type Received,
} from '../support/faulty-service.ts';
import { type Limited, limitedTo } from '../support/limited-service.ts';
import { list } from '../support/repeat.ts';
import { CALL_MS, MARK_MS } from './settings.ts';

/** What a thing of the service was from a moment on, by `performance.now()`. */
export interface Revision {
  /** The title of an article; of a group its members, separated by commas. */
  readonly value: string;
  readonly at: number;
}

export type Resource = 'Articles' | 'Readers';

/** A write that was not refused. */
export interface ArrivedWrite {
  readonly resource: string | undefined;
  /** `performance.now()`. */
  readonly arrivedAt: number;
}

/** A service with articles and reader groups that knows all that they have ever been. */
export interface VersionedService {
  readonly url: string;
  /** The revisions of each thing, by its ID. */
  readonly histories: ReadonlyMap<string, readonly Revision[]>;
  /** Changes a thing as somebody does who uses no gateway. */
  edit(id: string, value: string): void;
  /** The writes of articles or of groups that have arrived and have no answer yet. */
  writesUnderWay(resource: Resource): ReadonlySet<ArrivedWrite>;
  /** Each time that a gateway sent this title or this reader in a write that was not refused. */
  readonly sent: ReadonlyMap<string, number>;
  /** Writes of a group that were not made from what the group was when they took effect, or that came twice. */
  readonly overwrites: readonly string[];
  readonly calls: () => number;
  /** The calls that got a 429. */
  readonly refused: () => number;
  close(): Promise<void>;
}

export const ARTICLES: readonly string[] = list(4, (index) => `article-${index}`);
/** The groups that gateways change. */
export const GROUPS: readonly string[] = list(2, (index) => `group-${index}`);
/** A group that only others edit, since a write of a gateway replaces what they change meanwhile. */
export const FOREIGN_GROUP = 'group-of-others';

/** Less than the clients ask for in a window now and then. */
const LIMIT = { calls: 120, windowMs: 3_000 };

/** Now and then the writes of a moment are refused together, for longer than their marks last. */
const LONG_REFUSAL_EVERY_MS = 8_000;
const LONG_REFUSAL_MOMENT_MS = 500;
const LONG_REFUSAL_SECONDS = Math.ceil(MARK_MS / 1_000) + 1;
/** The first writes after a moment of refusals are slow, so that reads meet them. */
const LONGEST_LATE_MS = LONG_REFUSAL_SECONDS * 1_000 + 1_000;

interface State {
  readonly random: SeededRandom;
  readonly histories: Map<string, Revision[]>;
  readonly sent: Map<string, number>;
  readonly overwrites: string[];
  readonly groupWrites: Set<string>;
  readonly underWay: Set<ArrivedWrite>;
  longRefusals: number;
  nextLongRefusalAt: number;
  longRefusalEndsAt: number;
}

export async function openVersionedService(seed: number): Promise<VersionedService> {
  const state: State = {
    random: new SeededRandom(seed),
    histories: new Map([...ARTICLES, ...GROUPS, FOREIGN_GROUP].map((id) => [id, [{ value: '', at: 0 }]])),
    sent: new Map(),
    overwrites: [],
    groupWrites: new Set(),
    underWay: new Set(),
    longRefusals: 0,
    nextLongRefusalAt: performance.now() + LONG_REFUSAL_EVERY_MS / 4,
    longRefusalEndsAt: 0,
  };
  const limited = limitedTo(LIMIT, (response, request) => respond(state, response, request));
  const service = await openFaultyService();
  service.onAny(limited.behaviour);
  return asVersionedService(state, service, limited);
}

const asVersionedService = (state: State, service: FaultyService, limited: Limited): VersionedService => ({
  url: service.url,
  histories: state.histories,
  edit: (id, value) => append(state, id, value),
  writesUnderWay: (resource) => new Set([...state.underWay].filter((write) => write.resource === resource)),
  sent: state.sent,
  overwrites: state.overwrites,
  calls: limited.accepted,
  refused: () => limited.refused() + state.longRefusals,
  close: service.close,
});

type Respond = (state: State, ...exchange: Parameters<Behaviour>) => Promise<void>;

const respond: Respond = async (state, response, request) => {
  const [, , resource, second = '', third = ''] = request.url.split('?')[0]?.split('/').map(decodeURIComponent) ?? [];
  const { random } = state;
  const isWrite = request.method === 'PUT';
  if (isWrite && isInLongRefusal(state)) {
    state.longRefusals += 1;
    await sleep(state.longRefusalEndsAt - performance.now());
    response.writeHead(429, { 'retry-after': `${LONG_REFUSAL_SECONDS}` }).end();
    return;
  }
  const write: ArrivedWrite = { resource, arrivedAt: performance.now() };
  if (isWrite) state.underWay.add(write);
  const isSlow = random.chance(0.05);
  const isLate = isWrite && performance.now() < state.longRefusalEndsAt + LONGEST_LATE_MS;
  if (isLate) await sleep(CALL_MS / 2);
  await sleep(isSlow ? random.between(0, CALL_MS / 2) : random.between(0, 40));
  const answer = answerOf(state, request, { resource, id: resource === 'Readers' ? third : second });
  // The answer is cut or comes too late, and what was written stays.
  const isLost = isWrite && random.chance(0.02);
  await sleep(isLost && random.chance(0.5) ? CALL_MS + 500 : random.between(0, 40));
  state.underWay.delete(write);
  if (isLost) response.socket?.resetAndDestroy();
  else await answer(response, request);
};

/** The first write that comes late enough begins the moment. */
function isInLongRefusal(state: State): boolean {
  const now = performance.now();
  if (now >= state.nextLongRefusalAt) {
    state.longRefusalEndsAt = now + LONG_REFUSAL_MOMENT_MS;
    state.nextLongRefusalAt = now + LONG_REFUSAL_SECONDS * 1_000 + state.random.between(0, LONG_REFUSAL_EVERY_MS);
  }
  return now < state.longRefusalEndsAt;
}

interface Target {
  readonly resource: string | undefined;
  readonly id: string;
}

function answerOf(state: State, { method, body }: Received, { resource, id }: Target): Behaviour {
  if (resource === 'ProjectVersions') return json(200, envelope([]));
  if (resource === 'Articles' && method === 'PUT') return json(200, envelope(writeArticles(state, body)));
  const history = state.histories.get(id);
  if (history === undefined)
    return json(400, envelope(null, { success: false, errors: [{ description: 'Not found.' }] }));
  if (resource === 'Articles') return json(200, envelope(articleOf(id, latest(history))));
  if (method === 'GET') return json(200, envelope(groupOf(id, history)));
  writeGroup(state, id, body);
  return json(200, { ...envelope(null), result: false });
}

function writeArticles(state: State, body: unknown): readonly object[] {
  const items: readonly { readonly article_id: string; readonly title: string }[] = Array.isArray(body) ? body : [];
  return items.map(({ article_id, title }) => {
    count(state.sent, title);
    append(state, article_id, title);
    return { article_id, success: true };
  });
}

/** The description of a group counts its revisions, and a write sends back the one that it was made from. */
function writeGroup(state: State, id: string, body: unknown): void {
  const { description, associated_readers: members }: { description?: string; associated_readers?: string[] } =
    Object(body);
  const history = state.histories.get(id) ?? [];
  const write = `${id}, made from ${description}: ${members}`;
  const isStale = description !== revisionName(history);
  if (isStale || state.groupWrites.has(write)) state.overwrites.push(`${write}; it was ${revisionName(history)}`);
  state.groupWrites.add(write);
  const before = membersIn(latest(history));
  for (const member of members ?? []) if (!before.includes(member)) count(state.sent, member);
  append(state, id, (members ?? []).join());
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

function append({ histories }: State, id: string, value: string): void {
  histories.get(id)?.push({ value, at: performance.now() });
}

const latest = (history: readonly Revision[]): string => history.at(-1)?.value ?? '';

export const membersIn = (value: string): readonly string[] => (value === '' ? [] : value.split(','));

const revisionName = (history: readonly Revision[]): string => `revision ${history.length - 1}`;

const articleOf = (articleId: string, title: string) =>
  encodeArticle({
    article: {
      articleId,
      title,
      projectVersionId: 'version',
      languageCode: 'en',
      versionNumber: 1,
      latestVersionNumber: 1,
      pinned: false,
      slug: null,
      hidden: false,
      order: 1,
      translationStatus: 'NONE',
      contentType: 'MARKDOWN',
      modifiedAt: null,
      status: null,
      publicVersionNumber: null,
      url: null,
      content: '',
      htmlContent: null,
      categoryId: 'category',
    },
    isFallback: false,
  });

const groupOf = (groupId: string, history: readonly Revision[]) =>
  encodeReaderGroup({
    groupId,
    title: groupId,
    description: revisionName(history),
    readerIds: membersIn(latest(history)),
    invitedSsoUserIds: [],
    accessScope: { level: 'PROJECT' },
  });
