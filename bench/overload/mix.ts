import type { Message } from '../harness/message-reader.ts';
import { ItemCounts, UNKNOWN_TIMES } from './item-counts.ts';

/** How a request ended. `unavailable`: the answer has status 200, and says that nothing was sent or read. */
export type Ending = 'answered' | 'refused' | 'limited' | 'unavailable' | 'wrong' | 'lost';

/** A request, and the only right answer to it. */
export interface PlannedRequest {
  readonly bytes: Buffer;
  /** Records the answer, null where there was none, and tells how the request ended. */
  end(answer: Message | null): Ending;
}

/** The token of all requests. */
export const TOKEN = 'bench';

/** The articles that are updated: more than are in flight at one time. */
const WRITTEN = 100_000;
/** The articles that are read. */
export const READ_ARTICLES = 2_000;
const LIST_ITEMS = 100;
/** Of ten requests, five read, four update one article, and one updates a list. All read while all articles are in flight. */
const [READS, SINGLE_UPDATES, ALL] = [5, 4, 10];
/** Each tenth item names an article that does not exist. */
const MISSING_EVERY = 10;

const READ = 'query ($id: ID!) { article(articleId: $id, languageCode: "en") { articleId title } }';
const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload { results { __typename articleId } }
    ... on MutationError { code }
  }
}`;
const UNSENT = '{"data":{"bulkUpdateArticles":{"__typename":"ServiceUnavailableError","code":"UNAVAILABLE"}}}';

export const readIdOf = (index: number): string => `read-${index}`;
export const writtenIds = (): string[] => Array.from({ length: WRITTEN }, (_, index) => `written-${index}`);
export const titleOf = (articleId: string): string => `Title of ${articleId}`;
const MISSING = 'missing-';
export const isMissing = (articleId: string): boolean => articleId.startsWith(MISSING);

const TITLE = 'Title ';
/** The number of the item with a title. */
export const itemOf = (title: string): number => Number(title.slice(TITLE.length));

interface Item {
  readonly articleId: string;
  readonly title: string;
}

/** Makes one request after another, and keeps what the ledger has to hold in the end. */
export class Mix {
  /** The articles that no request in flight updates: those of this round, and those of the next. */
  #free = writtenIds();
  #updated: string[] = [];
  #requests = 0;
  #reads = 0;
  #items = 0;
  /** The titles of updates that were acknowledged, by article. */
  readonly acknowledged = new Map<string, string>();
  /** How often each item was sent, by its number: once or never, `UNKNOWN_TIMES` where nobody was told. */
  readonly timesSent = new ItemCounts();

  next(): PlannedRequest {
    const position = this.#requests % ALL;
    this.#requests += 1;
    const areMostInFlight = this.#free.length + this.#updated.length < LIST_ITEMS;
    if (position < READS || areMostInFlight) return this.nextRead();
    return this.#update(position < READS + SINGLE_UPDATES ? 1 : LIST_ITEMS);
  }

  /** The next one is a read. */
  nextRead(): PlannedRequest {
    this.#reads += 1;
    const id = readIdOf(this.#reads % READ_ARTICLES);
    const expected = JSON.stringify({ data: { article: { articleId: id, title: titleOf(id) } } });
    const bytes = requestBytes({ query: READ, variables: { id } });
    return { bytes, end: (answer) => endingOf(answer, { expected, isUnavailable: isUnavailableRead }) };
  }

  #update(count: number): PlannedRequest {
    const items = Array.from({ length: count }, () => this.#nextItem());
    const expected = payloadOf(items, ({ articleId }) =>
      isMissing(articleId) ? 'ArticleUpdateFailed' : 'ArticleUpdated',
    );
    const notAttempted = payloadOf(items, () => 'ArticleUpdateNotAttempted');
    const isUnavailable = (body: string) => body === UNSENT || body === notAttempted;
    return {
      bytes: requestBytes({ query: UPDATE, variables: { input: { articles: items } } }),
      end: (answer) => {
        const ending = endingOf(answer, { expected, isUnavailable });
        this.#record(items, ending);
        return ending;
      },
    };
  }

  #nextItem(): Item {
    this.#items += 1;
    const title = `${TITLE}${this.#items}`;
    this.timesSent.set(this.#items, UNKNOWN_TIMES);
    if (this.#items % MISSING_EVERY === 0) return { articleId: `${MISSING}${this.#items}`, title };
    if (this.#free.length === 0) [this.#free, this.#updated] = [this.#updated, []];
    const articleId = this.#free.pop();
    if (articleId === undefined) throw new Error('Every article is being updated.');
    return { articleId, title };
  }

  #record(items: readonly Item[], ending: Ending): void {
    // The outcome is not known: the articles are neither updated again nor compared.
    if (ending === 'wrong' || ending === 'lost') return;
    for (const { articleId, title } of items) {
      this.timesSent.set(itemOf(title), ending === 'answered' ? 1 : 0);
      if (isMissing(articleId)) continue;
      if (ending === 'answered') this.acknowledged.set(articleId, title);
      this.#updated.push(articleId);
    }
  }
}

const payloadOf = (items: readonly Item[], outcomeOf: (item: Item) => string): string => {
  const results = items.map((item) => ({ __typename: outcomeOf(item), articleId: item.articleId }));
  return JSON.stringify({ data: { bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload', results } } });
};

interface RightAnswers {
  readonly expected: string;
  readonly isUnavailable: (body: string) => boolean;
}

function endingOf(answer: Message | null, { expected, isUnavailable }: RightAnswers): Ending {
  if (answer === null) return 'lost';
  if (answer.startLine.startsWith('HTTP/1.1 503 ')) return 'refused';
  if (answer.startLine.startsWith('HTTP/1.1 429 ')) return 'limited';
  const body = answer.body.toString();
  if (body === expected) return 'answered';
  return isUnavailable(body) ? 'unavailable' : 'wrong';
}

const isUnavailableRead = (body: string): boolean =>
  body.includes('"code":"UNAVAILABLE"') && body.endsWith('"data":{"article":null}}');

function requestBytes(body: object): Buffer {
  const payload = Buffer.from(JSON.stringify(body));
  const head = [
    'POST /graphql HTTP/1.1',
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    `api_token: ${TOKEN}`,
    `content-length: ${payload.length}`,
    '\r\n',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), payload]);
}
