import { inspect } from 'node:util';
import { type GatewaySlot, OWN_TOKEN } from './gateway-slot.ts';
import { CALL_MS, REQUEST_MS } from './settings.ts';

const ARTICLE = `query ($id: ID!) { article(articleId: $id, languageCode: "en") { title } }`;
const GROUP = `query ($id: ID!) { readerGroup(groupId: $id) { description readerIds } }`;
const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  written: bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload { results { __typename details } }
    ... on MutationError { code message mayHaveApplied }
  }
}`;
const CHANGE = `mutation ($input: ChangeReaderGroupMembersInput!) {
  written: changeReaderGroupMembers(input: $input) {
    __typename
    ... on MutationError { code message mayHaveApplied }
  }
}`;

/** The client knows of its write that it has taken effect, that it was not sent, or neither. */
export type WriteOutcome = 'acknowledged' | 'unsent' | 'unknown';

export interface Read<Value> {
  readonly value: Value | null;
  /** True where the gateway made no call for it. */
  readonly isHit: boolean;
}

/** Reports what must not happen. */
export type Report = (finding: string) => void;

/** What a request of a client ended with; null where its gateway has ended, or has stopped for too long. */
interface Answer {
  readonly body: Body;
  readonly cacheStatus: string;
}

interface Body {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }[];
}

/** A write that has begun goes on after the deadline of its request. The rest is more than a busy machine adds. */
const LONGEST_MS = REQUEST_MS + CALL_MS + 8_000;

/** Failures that troubles explain. */
const EXPLAINED = ['UNAVAILABLE', 'RATE_LIMITED', 'OUTCOME_UNKNOWN'];

/** The requests of one client, each to the gateway that it names. */
export class Requests {
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  async readArticle(slot: GatewaySlot, id: string): Promise<Read<string>> {
    const { data, isHit } = await this.#read(slot, ARTICLE, id);
    const article: { readonly title: string } | null = data?.['article'] ? Object(data['article']) : null;
    return { value: article?.title ?? null, isHit };
  }

  async readGroup(
    slot: GatewaySlot,
    id: string,
  ): Promise<Read<{ readonly revision: number; readonly members: string }>> {
    const { data, isHit } = await this.#read(slot, GROUP, id);
    if (!data?.['readerGroup']) return { value: null, isHit };
    const { description, readerIds }: { description: string; readerIds: readonly string[] } = Object(
      data['readerGroup'],
    );
    return { value: { revision: Number(/\d+$/u.exec(description)?.[0]), members: readerIds.join() }, isHit };
  }

  updateArticle(slot: GatewaySlot, articleId: string, title: string): Promise<WriteOutcome> {
    return this.#write(slot, UPDATE, { articles: [{ articleId, languageCode: 'en', title }] });
  }

  changeMembers(slot: GatewaySlot, groupId: string, change: object): Promise<WriteOutcome> {
    return this.#write(slot, CHANGE, { groupId, ...change });
  }

  async #read(slot: GatewaySlot, query: string, id: string) {
    const answer = await this.#send(slot, query, { id });
    for (const { message, extensions } of answer?.body.errors ?? []) {
      if (!EXPLAINED.includes(`${extensions?.['code']}`)) this.#report(`a read failed: ${message}`);
    }
    return { data: answer?.body.data, isHit: /;\s*hit/u.test(answer?.cacheStatus ?? '') };
  }

  async #write(slot: GatewaySlot, query: string, input: object): Promise<WriteOutcome> {
    const answer = await this.#send(slot, query, { input });
    return answer === null ? 'unknown' : this.#outcomeOf(answer.body);
  }

  #outcomeOf({ data, errors }: Body): WriteOutcome {
    const written: Written | null = data?.['written'] ? Object(data['written']) : null;
    if (written === null) return this.#outcomeOfFailure(failureIn(errors));
    if (written.mayHaveApplied !== undefined) return this.#outcomeOfFailure(written);
    // A group has no results.
    const [result] = written.results ?? [{ __typename: 'ArticleUpdated' }];
    const outcome = OUTCOMES.get(result?.__typename ?? '');
    if (outcome === undefined) this.#report(`a write ended as ${JSON.stringify(written)}`);
    return outcome ?? 'unknown';
  }

  #outcomeOfFailure(failure: Pick<Written, 'code' | 'mayHaveApplied'>): WriteOutcome {
    if (!EXPLAINED.includes(`${failure.code}`)) this.#report(`a write failed: ${JSON.stringify(failure)}`);
    return failure.mayHaveApplied === false ? 'unsent' : 'unknown';
  }

  async #send(slot: GatewaySlot, query: string, variables: object): Promise<Answer | null> {
    const { url, ends, stoppedMs } = slot;
    if (url === null) return null;
    const begun = performance.now();
    try {
      const response = await fetch(url, {
        method: 'POST',
        // A gateway that was stopped closes connections as idle though a request has just been sent on them.
        headers: { 'content-type': 'application/json', api_token: OWN_TOKEN, connection: 'close' },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.timeout(2 * LONGEST_MS),
      });
      const body: Body = JSON.parse(await response.text());
      return { body, cacheStatus: response.headers.get('cache-status') ?? '' };
    } catch (error) {
      if (slot.ends === ends) this.#report(`a request to a living gateway ended with ${inspect(error)}`);
      return null;
    } finally {
      const ms = performance.now() - begun - (slot.stoppedMs - stoppedMs);
      if (ms > LONGEST_MS) this.#report(`a request took ${Math.round(ms)} ms: ${query}`);
    }
  }
}

const failureIn = (errors: Body['errors']) => {
  const { message, extensions } = errors?.[0] ?? { message: 'There is neither data nor an error.' };
  return { message, code: `${extensions?.['code']}`, mayHaveApplied: extensions?.['mayHaveApplied'] !== false };
};

interface Written {
  readonly __typename: string;
  readonly code?: string;
  readonly mayHaveApplied?: boolean;
  readonly results?: readonly { readonly __typename: string }[];
}

const OUTCOMES: ReadonlyMap<string, WriteOutcome> = new Map([
  ['ArticleUpdated', 'acknowledged'],
  ['ArticleUpdateNotAttempted', 'unsent'],
  ['ArticleUpdateUnknown', 'unknown'],
]);
