import type { ArticleCreation } from '../../../src/core/articles/article-creations.ts';
import { type Behaviour, envelope, type FaultyService, reset } from '../../support/faulty-service.ts';

export const ONE = 'POST /v2/Articles';
export const SEVERAL = 'POST /v2/Articles/bulkcreate';

export const creation = (title: string, more: Partial<ArticleCreation> = {}): ArticleCreation => ({
  title,
  projectVersionId: 'pv1',
  categoryId: 'c1',
  userId: 'u1',
  content: 'Text',
  ...more,
});

export const HOUR_MS = 3_600_000;

/** An article of the service. Its age is told from the moment at which the create arrived. */
export interface Draft {
  readonly id: string;
  readonly title: string;
  readonly category: string | null;
  readonly content: string;
  readonly createdBy: string;
  readonly createdAfterMs: number;
  readonly latestVersion: number;
  readonly publicVersion: number;
}

export const draft = (id: string, title: string, more: Partial<Draft> = {}): Draft => ({
  id,
  title,
  category: 'c1',
  content: 'Text',
  createdBy: 'u1',
  createdAfterMs: 0,
  latestVersion: 1,
  publicVersion: 0,
  ...more,
});

/** A service with a clock of its own, whose reads show the drafts. The create gets `answer`. */
export function serveDrafts(
  service: FaultyService,
  drafts: readonly Draft[],
  { answer = reset(), skewMs = 0, headers = {} }: { answer?: Behaviour; skewMs?: number; headers?: object } = {},
) {
  let arrivedAt = 0;
  const now = () => Date.now() + skewMs;
  const create: Behaviour = (response, request) => {
    arrivedAt = now();
    return answer(response, request);
  };
  service.on(ONE, create);
  service.on(SEVERAL, create);
  const entryOf = ({ id, title, createdAfterMs, latestVersion, publicVersion }: Draft) => ({
    id,
    title,
    language_code: 'en',
    latest_version: latestVersion,
    public_version: publicVersion,
    modified_at: new Date(arrivedAt + createdAfterMs).toISOString(),
  });
  const read =
    (dataOf: (url: string) => unknown): Behaviour =>
    (response, { url }) => {
      const data = dataOf(url);
      response.writeHead(data === null ? 400 : 200, { date: new Date(now()).toUTCString(), ...headers });
      response.end(JSON.stringify(envelope(data)));
    };
  const languages = [{ code: 'en', name: 'English', set_as_default: true }];
  service.on(
    'GET /v2/ProjectVersions',
    read(() => [{ id: 'pv1', is_main_version: true, language_versions: languages }]),
  );
  service.on(
    'GET /v2/ProjectVersions/pv1/categories',
    read(() =>
      ['c1', 'c2'].map((id) => ({
        id,
        name: id,
        articles: drafts.filter(({ category }) => category === id).map(entryOf),
        child_categories: [],
      })),
    ),
  );
  service.on(
    'GET /v2/ProjectVersions/pv1/articles',
    read(() => drafts.map(entryOf)),
  );
  service.onAny(
    read((url) => {
      const found = drafts.find(({ id }) => url.startsWith(`/v2/Articles/${id}/en`));
      if (found === undefined) return null;
      return {
        ...entryOf(found),
        project_version_id: 'pv1',
        category_id: found.category,
        content: found.content,
        version_number: found.latestVersion,
        created_by: found.createdBy,
        created_at: new Date(arrivedAt + found.createdAfterMs).toISOString(),
      };
    }),
  );
}
