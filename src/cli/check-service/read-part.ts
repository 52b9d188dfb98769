import { isObject, type JsonObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { lenientTime } from '../../service/v2/fields.ts';
import type { Findings } from './assumptions.ts';
import { objectsIn, projectVersionsIn, type ServiceAnswer, type ServiceCalls } from './service-calls.ts';

/** The most articles that are read to find one without a translation. With the other reads, these are at most 15 calls. */
const MAX_PROBES = 4;

const TIME_MEMBERS = ['created_at', 'modified_at', 'last_login_at'];

export const ARTICLE_QUERY = { isForDisplay: false, isPublished: false, appendSASToken: false } as const;

/** Checks what reads show. The error says why the service could not be checked at all. */
export async function checkReads(calls: ServiceCalls): Promise<Result<Findings, string>> {
  const answers: ServiceAnswer[] = [];
  const read = async (...call: Parameters<ServiceCalls['read']>): Promise<ServiceAnswer> => {
    const answer = await calls.read(...call);
    answers.push(answer);
    return answer;
  };
  const versions = await read(['ProjectVersions']);
  const found = projectVersionsIn(versions);
  if (!found.ok) return found;
  const [version] = found.value.toSorted((one, other) => other.languages.length - one.languages.length);
  if (version === undefined) return err(notChecked(versions));
  const { projectVersionId: id, languages } = version;
  const byDefault = languages.toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));
  const [defaultCode = '', otherCode] = byDefault.map(({ code }) => code);
  const list = async (langCode: string, query: Readonly<Record<string, number>> = {}) =>
    objectsIn((await read(['ProjectVersions', { id }, 'articles'], { langCode, ...query })).payload);
  const articles = await list(defaultCode);
  const others = otherCode === undefined ? [] : await list(otherCode);
  const paged = articles.length > 1 ? await list(defaultCode, { page: 0, hitsPerPage: 1 }) : null;
  const readers = await read(['Readers'], { offSet: 1, searchEmail: '' });
  const [first] = articles;
  const whole =
    first === undefined
      ? null
      : (await read(['Articles', { id: `${first['id']}` }, { id: defaultCode }], ARTICLE_QUERY)).payload;
  const isFallback = async (articleId: unknown) => {
    const { payload } = await read(
      ['Articles', { id: `${articleId}` }, { id: otherCode ?? defaultCode }],
      ARTICLE_QUERY,
    );
    return isObject(payload) && payload['is_fall_back_content'] === true;
  };
  return ok({
    ...languagesOfList(others, { defaultCode, otherCode }),
    ...(otherCode === undefined ? {} : await standInsOf(articles, others, isFallback)),
    ...shapeOfReaders(readers),
    ...(paged && { paging: paged.length === 1 ? ('expected' as const) : ('ignored' as const) }),
    ...(first !== undefined && isObject(whole) && contentTypesOf(first, whole)),
    ...datesOf(answers),
    ...rateLimitOf(answers),
  });
}

function notChecked({ httpStatus, payload }: ServiceAnswer): string {
  if (httpStatus === 0) return 'the service cannot be reached.';
  if (httpStatus === 401) return 'the service does not accept the token, or it is the token of another region.';
  return Array.isArray(payload)
    ? 'the service lists no project version that can be read.'
    : `the service answered HTTP ${httpStatus}, and no list of project versions.`;
}

interface Codes {
  readonly defaultCode: string;
  readonly otherCode: string | undefined;
}

/** What the entries of a list in another language than the default say. */
function languagesOfList(entries: readonly JsonObject[], { defaultCode, otherCode }: Codes): Findings {
  const codes = new Set(entries.map((entry) => entry['language_code'] ?? null));
  if (otherCode === undefined || codes.size === 0) return {};
  if (codes.has(otherCode)) return { listLanguages: 'expected' };
  if (codes.has(defaultCode)) return { listLanguages: 'default' };
  return codes.has(null) ? { listLanguages: 'null' } : {};
}

/** Looks for an article without a text in the other language: first where lists differ, then where titles are the same. */
async function standInsOf(
  articles: readonly JsonObject[],
  others: readonly JsonObject[],
  isFallback: (articleId: unknown) => Promise<boolean>,
): Promise<Findings> {
  const titles = new Map(others.map((entry) => [entry['id'], entry['title']]));
  const missing = articles.filter(({ id }) => !titles.has(id));
  const [absent] = missing;
  if (absent !== undefined && (await isFallback(absent['id']))) return { standIns: 'expected' };
  const equal = articles.filter(({ id, title }) => titles.get(id) === title);
  for (const { id } of equal.slice(0, MAX_PROBES)) if (await isFallback(id)) return { standIns: 'listed' };
  return {};
}

function shapeOfReaders({ httpStatus, body }: ServiceAnswer): Findings {
  if (httpStatus !== 200) return {};
  if (isObject(body) && Array.isArray(body['result'])) return { readers: 'expected' };
  if (Array.isArray(body) || (isObject(body) && Array.isArray(body['data']))) return { readers: 'list' };
  return isObject(body) && 'reader_id' in body ? { readers: 'object' } : {};
}

function contentTypesOf(listed: JsonObject, whole: JsonObject): Findings {
  const type = listed['content_type'];
  if (type == null) return { contentTypes: 'absent' };
  return { contentTypes: type === whole['content_type'] ? 'expected' : 'different' };
}

function datesOf(answers: readonly ServiceAnswer[]): Findings {
  const times = answers.flatMap(({ body }) => timesIn(body));
  if (times.length === 0) return {};
  const isReadable = (time: unknown) => lenientTime(time) !== null || `${time}`.startsWith('0001-01-01');
  return { dates: times.every(isReadable) ? 'expected' : 'unreadable' };
}

function timesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(timesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    TIME_MEMBERS.includes(name) && member !== null ? [member] : timesIn(member),
  );
}

function rateLimitOf(answers: readonly ServiceAnswer[]): Findings {
  const answered = answers.filter(({ httpStatus }) => httpStatus === 200);
  const isTold = answered.every(({ headers }) => 'x-ratelimit-remaining' in headers);
  return { rateLimit: isTold ? 'expected' : 'absent' };
}
