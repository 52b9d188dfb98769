import { type Behaviour, envelope, json, type Received } from '../support/faulty-service.ts';

/** The others that are sent by POST publish articles. */
export const isOfCreates = ({ method, url }: Pick<Received, 'method' | 'url'>): boolean =>
  method === 'POST' && !url.includes('bulkpublish');

/** The correct response of the service to each call of the operations. */
export function goodAnswer({ method, url, body }: Received): unknown {
  if (url.startsWith('/v2/Articles/a')) return envelope(draftOf(url.split('/')[3]));
  if (isOfCreates({ method, url }))
    return envelope(Array.isArray(body) ? body.map(({ title }) => newItem(title)) : { id: 'new' });
  if (Array.isArray(body)) return envelope(body.map(({ article_id }) => item(article_id)));
  if (method === 'PUT') return { ...envelope(null), result: false };
  if (url.startsWith('/v2/ProjectVersions')) return envelope([]);
  return envelope({
    reader_group_id: 'g1',
    title: 'Old',
    description: null,
    associated_readers: [],
    associated_invited_sso_users: [],
    access_scope: { access_level: 0, categories: [], project_versions: [], languages: [] },
  });
}

/** An article without a public version. */
const draftOf = (id: string | undefined) => ({
  ...{ id, project_version_id: 'v1', language_code: 'en' },
  ...{ version_number: 1, latest_version: 1, public_version: 0 },
});

export const good = (): Behaviour => (response, request) => json(200, goodAnswer(request))(response, request);

export const item = (articleId: unknown) => ({
  article_id: articleId,
  success: true,
  details: 'The article has been updated.',
});

const newItem = (title: unknown) => ({
  article_id: `new ${title}`,
  success: true,
  details: `Successfully created article ${title}`,
});
