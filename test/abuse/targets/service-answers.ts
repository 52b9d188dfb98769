import { envelope } from '../../support/faulty-service.ts';
import { list } from '../../support/repeat.ts';

/** The response of the scripted service to one call. */
export interface ServiceAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** True when the response takes nearly as long as a call may. */
  readonly hangs: boolean;
}

export interface ServiceCall {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** The IDs with a special meaning; every other ID exists too, with little content. */
export const SERVICE_IDS = {
  projectVersions: ['v1', 'v2'],
  languages: ['en', 'fr'],
  categories: ['c0', 'c1', 'c7', 'c50'],
  articles: ['a0', 'a1', 'title', 'refused', 'errors', 'notices'],
  groups: ['g0', 'g1', 'members', 'scope', 'title', 'refused', 'errors', 'notices'],
  readers: ['r0', 'r1', 'r4999'],
  invited: ['i0'],
} as const;

const MB = 1_000_000;
const LONG = '!'.repeat(9.8 * MB);

const language = (code: string, isDefault: boolean) => ({ id: code, name: code, code, set_as_default: isDefault });

const projectVersion = (id: string) => ({
  id,
  version_number: 1,
  version_code_name: id,
  is_main_version: id === 'v1',
  language_versions: [language('en', true), language('fr', false)],
  slug: id,
});

const article = (id: string) => ({
  id,
  title: `Article ${id}`,
  language_code: 'en',
  hidden: false,
  status: 3,
  order: 1,
  slug: id,
  content_type: 0,
  public_version: 1,
  latest_version: 1,
  translation_option: 0,
  modified_at: '2026-01-01T00:00:00Z',
});

const wholeArticle = (id: string) => ({
  ...article(id),
  title: id === 'title' ? LONG : `Article ${id}`,
  content: 'Text. '.repeat(5_000),
  html_content: '<p>Text.</p>'.repeat(5_000),
  category_id: 'c0',
  project_version_id: 'v1',
  version_number: 1,
  is_fall_back_content: false,
});

/** The size of the category tree: seven categories in each, with one article. */
const CATEGORIES = 400;
const FAN_OUT = 7;
function category(n: number): object {
  const below = list(FAN_OUT, (nth) => n * FAN_OUT + nth + 1).filter((child) => child < CATEGORIES);
  const parent = n === 0 ? null : `c${Math.floor((n - 1) / FAN_OUT)}`;
  return {
    id: `c${n}`,
    name: `Category ${n}`,
    project_version_id: 'v1',
    order: 1,
    parent_category_id: parent,
    articles: [article(`a${n}`)],
    child_categories: below.map(category),
  };
}

const scope = (more: object = {}) => ({
  access_level: 3,
  categories: [],
  project_versions: [],
  languages: [],
  ...more,
});

const entry = (n: number) => ({ project_version_id: 'v1', category_id: `c${n % CATEGORIES}`, language_code: 'en' });

const group = (id: string) => ({
  reader_group_id: id,
  title: id === 'title' ? LONG : `Group ${id}`,
  description: 'A group',
  associated_readers: id.startsWith('members') ? list(5_000, (n) => `r${n}`) : ['r0'],
  associated_invited_sso_users: [],
  access_scope: id === 'scope' ? scope({ access_level: 1, categories: list(50_000, entry) }) : scope(),
});

const reader = (n: number) => ({
  reader_id: `r${n}`,
  first_name: 'Reader',
  last_name: `${n}`,
  email: `reader-${n}@example.com`,
  associated_reader_groups: ['g0', 'members'],
  is_invite_sso_user: false,
});

const failure = (description: string) => ({ description, error_code: '400', custom_data: { a: [1] } });

const notice = (n: number) => ({
  description: `Notice ${n} of reader r${n}: ${'x'.repeat(500)}`,
  warning_code: `${n}`,
});

const rejectionOf = (id: string) =>
  envelope(null, {
    success: false,
    errors:
      id === 'refused' ? [failure(LONG.slice(0, 9 * MB))] : list(20_000, (n) => failure(`${n} ${'!'.repeat(300)}`)),
  });

/** Each response is encoded once and kept, so that the service takes no time. */
export function createAnswers(): (call: ServiceCall) => ServiceAnswer {
  const kept = new Map<string, Buffer>();
  const keep = (key: string, make: () => unknown): Buffer => {
    const bytes = kept.get(key) ?? Buffer.from(JSON.stringify(make()));
    if (kept.size > MAX_KEPT) kept.clear();
    kept.set(key, bytes);
    return bytes;
  };
  return ({ method, url, body }) => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const hangs = searchParams.get('searchEmail') === 'hang';
    const answer = (status: number, bytes: Buffer): ServiceAnswer => ({ status, bytes, hangs });
    const special = SPECIAL.exec(method === 'PUT' ? `${pathname} ${body.slice(0, 10_000)}` : pathname)?.[1];
    if (special !== undefined)
      return answer(
        400,
        keep(`rejection ${special}`, () => rejectionOf(special)),
      );
    if (method === 'PUT') return answer(200, Buffer.from(JSON.stringify(written(`${pathname}"`, body))));
    return answer(
      200,
      keep(`${pathname.slice(0, 100)} ${pageOf(searchParams)}`, () => envelope(readOf(pathname, searchParams))),
    );
  };
}

/** The most responses that are kept, since unknown IDs may be many. */
const MAX_KEPT = 1_000;

const SPECIAL = /[/"](refused|errors)\b/u;

function written(pathname: string, body: string): object {
  const items: unknown = JSON.parse(body);
  const more = /[/"]notices"/u.test(`${pathname} ${body.slice(0, 10_000)}`) ? { warnings: list(5_000, notice) } : {};
  if (!Array.isArray(items)) return { ...envelope(null, more), result: false };
  return envelope(
    items.map(({ article_id }) => ({ article_id, success: true, details: 'Updated.' })),
    more,
  );
}

const pageOf = (query: URLSearchParams): number => Number(query.get('offSet') ?? query.get('page') ?? 1);

function readOf(pathname: string, query: URLSearchParams): unknown {
  const parts = pathname.split('/').slice(2);
  const last = decodeURIComponent(parts.at(-1) ?? '');
  const page = pageOf(query);
  if (parts[0]?.toLowerCase() === 'readers') return readersOf(parts, last, page);
  if (parts.length === 1) return SERVICE_IDS.projectVersions.map(projectVersion);
  if (last === 'articles') return page > 1 ? [] : list(CATEGORIES, (n) => article(`a${n}`));
  if (last === 'categories') return [category(0)];
  if (last === 'versions') return list(50, (n) => ({ version_number: n + 1, status: 3, created_at: null }));
  return wholeArticle(decodeURIComponent(parts[1] ?? ''));
}

function readersOf(parts: readonly string[], id: string, page: number): unknown {
  if (parts.length === 1) return page > 1 ? [] : list(5_000, reader);
  if (parts.length > 2) return page > 1 ? { ...group(id), associated_readers: [] } : group(id);
  return page > 20 ? [] : list(5, (n) => group(n === 0 ? 'g0' : `members-${page}-${n}`));
}
