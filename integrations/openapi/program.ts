import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

// A program of a user, whose client is generated from the API file of the service: it prints the operations that did not
// succeed. It reads members without a look whether they are there, where the types say that they are.

declare const process: { readonly argv: readonly string[]; readonly stdout: { write(text: string): void } };

const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { api_token: token } });
const failures: string[] = [];

/** The data of an answer, or undefined once it is noted as a failure. */
function dataOf<T>(operation: string, { data, error, response }: { data?: T; error?: unknown; response: Response }) {
  if (data === undefined) failures.push(`${operation}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** Notes an operation whose answer lacks what its types promise. */
function expectTexts(operation: string, ...texts: readonly unknown[]): void {
  if (texts.some((text) => typeof text !== 'string' || text === '')) failures.push(`${operation}: a text is missing`);
}

const article = { path: { articleId: 'a1', langCode: 'en' } };
const inVersion = { path: { projectVersionId: 'pv1' } };
const version = { user_id: 'u1', version_number: 1 };
const creation = {
  title: 'New',
  project_version_id: 'pv1',
  category_id: 'c1',
  user_id: 'u1',
  content_type: 0,
} as const;

const versions = dataOf('ProjectVersions', await client.GET('/v2/ProjectVersions'))?.data ?? [];
for (const one of versions) expectTexts('ProjectVersions', one.created_at?.slice(0, 10), one.modified_at?.slice(0, 10));
dataOf('articles', await client.GET('/v2/ProjectVersions/{projectVersionId}/articles', { params: inVersion }));
dataOf('categories', await client.GET('/v2/ProjectVersions/{projectVersionId}/categories', { params: inVersion }));
dataOf(
  'search',
  await client.GET('/v2/ProjectVersions/{projectVersionId}/{langCode}', {
    params: { path: { projectVersionId: 'pv1', langCode: 'en' }, query: { searchQuery: 'text' } },
  }),
);
dataOf('Language', await client.GET('/v2/Language/{projectVersionId}', { params: inVersion }));
dataOf('Categories', await client.GET('/v2/Categories/{categoryId}', { params: { path: { categoryId: 'c1' } } }));
const query = { isPublished: true };
const whole = dataOf(
  'Articles',
  await client.GET('/v2/Articles/{articleId}/{langCode}', { params: { ...article, query } }),
)?.data;
expectTexts('Articles', whole?.html_content, whole?.created_at?.slice(0, 10), whole?.modified_at?.slice(0, 10));
if (whole?.version_number !== 1) failures.push(`Articles: the public version is ${whole?.version_number}`);
const entries = dataOf(
  'versions',
  await client.GET('/v2/Articles/{articleId}/{langCode}/versions', { params: article }),
);
for (const one of entries?.data ?? []) expectTexts('versions', one.created_at?.slice(0, 10));
dataOf(
  'version',
  await client.GET('/v2/Articles/{articleId}/{langCode}/versions/{versionNumber}', {
    params: { path: { ...article.path, versionNumber: 1 } },
  }),
);
dataOf('Readers', await client.GET('/v2/Readers', { params: { query: { offSet: 1 } } }));
dataOf('groups', await client.GET('/v2/Readers/groups', { params: { query: { offSet: 1 } } }));
const group = { path: { groupId: 'g1' } };
dataOf('group', await client.GET('/v2/Readers/groups/{groupId}', { params: group }));
dataOf('Teams', await client.GET('/v2/Teams', { params: { query: { skip: 0, take: 5 } } }));
dataOf('Team', await client.GET('/v2/Teams/{userId}', { params: { path: { userId: 'u1' } } }));

dataOf('bulkupdate', await client.PUT('/v2/Articles/bulkupdate', { body: [{ article_id: 'a1', title: 'Bulk' }] }));
dataOf('update', await client.PUT('/v2/Articles/{articleId}/{langCode}', { params: article, body: { title: 'One' } }));
const forked = dataOf(
  'fork',
  await client.PUT('/v2/Articles/{articleId}/fork', {
    params: { path: { articleId: 'a3' } },
    body: { ...version, lang_code: 'en' },
  }),
);
if (forked?.data?.base_version !== 1) failures.push('fork: the base is another');
dataOf('create', await client.POST('/v2/Articles', { body: creation }));
dataOf('bulkcreate', await client.POST('/v2/Articles/bulkcreate', { body: [creation] }));
dataOf(
  'publish',
  await client.POST('/v2/Articles/{articleId}/publish', { params: { path: { articleId: 'a2' } }, body: version }),
);
dataOf(
  'publish in a language',
  await client.POST('/v2/Articles/{articleId}/{langCode}/publish', {
    params: { path: { articleId: 'a3', langCode: 'de' } },
    body: version,
  }),
);
dataOf(
  'bulkpublish',
  await client.POST('/v2/Articles/bulkpublish/{langCode}', {
    params: { path: { langCode: 'en' } },
    body: [{ ...version, article_id: 'a4' }],
  }),
);
dataOf(
  'update of a group',
  await client.PUT('/v2/Readers/groups/{groupId}', {
    params: group,
    body: { title: 'Renamed', access_scope: { access_level: 3 } },
  }),
);
const settings = await client.GET('/v2/Articles/{articleId}/settings', { params: { path: { articleId: 'a1' } } });
if (settings.response.status !== 404) failures.push(`settings: ${settings.response.status}`);

process.stdout.write(JSON.stringify(failures));
