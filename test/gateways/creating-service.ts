import type { ServerResponse } from 'node:http';
import { type Behaviour, envelope, json, openFaultyService, type Received, reset } from '../support/faulty-service.ts';

/** The answer of the service to one create, which waits until the test gives it. */
export interface PendingCreate {
  /** Makes the article, so that every later read shows it. Returns its ID. */
  apply(): string;
  /** Answers with the article that was made. */
  answer(): void;
  /** Ends the connection without an answer. */
  cut(): void;
}

interface Made {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly createdAt: string;
}

export interface CreatingService {
  readonly url: string;
  /** Waits for the next create that nobody has taken yet. */
  nextCreate(): Promise<PendingCreate>;
  /** Holds all lists back until the returned function is called. */
  holdLists(): () => void;
  close(): Promise<void>;
}

export const PLACE = { projectVersionId: 'pv1', categoryId: 'c1', content: 'Text' } as const;
export const USER = 'u1';

/** A service in which articles can be created and read, and whose answers to creates the test decides on. */
export async function openCreatingService(): Promise<CreatingService> {
  const service = await openFaultyService();
  const made: Made[] = [];
  const arrived: PendingCreate[] = [];
  const waiting: ((create: PendingCreate) => void)[] = [];
  let arrivals = 0;
  let listsAreFree = Promise.resolve();

  const arrive = (response: ServerResponse, request: Received) => {
    const { title, content }: { title: string; content: string } = Object(request.body);
    const id = `article-${arrivals}`;
    arrivals += 1;
    const create: PendingCreate = {
      apply: () => {
        made.push({ id, title, content, createdAt: new Date().toISOString() });
        return id;
      },
      answer: () => void json(201, envelope({ id, title }))(response, request),
      cut: () => void reset()(response, request),
    };
    const next = waiting.shift();
    if (next) next(create);
    else arrived.push(create);
  };
  service.on('POST /v2/Articles', arrive);

  const entryOf = ({ id, title, createdAt }: Made) => ({
    ...{ id, title, language_code: 'en', latest_version: 1, public_version: 0, modified_at: createdAt },
  });
  const list =
    (dataOf: () => unknown): Behaviour =>
    async (...exchange) => {
      await listsAreFree;
      await json(200, envelope(dataOf()))(...exchange);
    };
  const languages = [{ code: 'en', name: 'English', set_as_default: true }];
  const version = { id: PLACE.projectVersionId, is_main_version: true, language_versions: languages };
  service.on('GET /v2/ProjectVersions', json(200, envelope([version])));
  service.on(
    'GET /v2/ProjectVersions/pv1/articles',
    list(() => made.map(entryOf)),
  );
  service.on(
    'GET /v2/ProjectVersions/pv1/categories',
    list(() => [{ id: PLACE.categoryId, name: 'c1', articles: made.map(entryOf), child_categories: [] }]),
  );
  service.onAny((response, request) => {
    const found = made.find(({ id }) => request.url.startsWith(`/v2/Articles/${id}/en`));
    if (found === undefined) return json(400, envelope(null))(response, request);
    const { content, createdAt } = found;
    const article = {
      ...{ ...entryOf(found), project_version_id: PLACE.projectVersionId, category_id: PLACE.categoryId },
      ...{ content, version_number: 1, created_by: USER, created_at: createdAt },
    };
    return json(200, envelope(article))(response, request);
  });

  return {
    url: service.url,
    nextCreate: async () => arrived.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    holdLists: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      listsAreFree = promise;
      return resolve;
    },
    close: service.close,
  };
}
