import { type Behaviour, envelope, json, type Received } from '../support/faulty-service.ts';

/** The correct response of the service to each call of the operations. */
export function goodAnswer({ method, url, body }: Received): unknown {
  if (method === 'POST') return envelope(Array.isArray(body) ? body.map(({ title }) => newItem(title)) : { id: 'new' });
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
