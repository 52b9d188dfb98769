import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Article } from '../../../src/core/articles/articles.ts';
import { parseSearchText } from '../../../src/core/articles/search-words.ts';
import type { Backend } from '../../../src/core/backend.ts';
import { isObject, type JsonObject } from '../../../src/core/base/json.ts';
import type { Caller } from '../../../src/core/callers/caller.ts';
import { json } from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';
import { ApiFile, needsApiFile } from '../../support/stand-in-service/api-file.ts';

const VERSION = { projectVersionId: 'v', languageCode: 'en' };
const PAGE = { limit: 20 };
const WORDS = parseSearchText('word');
const KEY = { articleId: 'g', languageCode: 'en' };
const CATEGORY = { ...VERSION, categoryId: 'c', name: 'C', order: null, parentCategoryId: null };
const ARTICLE: Article = {
  ...{ ...VERSION, ...KEY, versionNumber: 1, latestVersionNumber: 1, title: 'A', slug: null, url: null, pinned: false },
  ...{ hidden: false, order: null, translationStatus: null, contentType: null, modifiedAt: null, status: null },
  publicVersionNumber: null,
};
const GROUP = { groupId: 'g', title: 'G', description: null, readerIds: [], invitedSsoUserIds: [] };

type Call = (backend: Backend, caller: Caller) => Promise<unknown>;

interface Operation {
  readonly operation: string;
  readonly call: Call;
  /** The members that the gateway reads of the answer's entry. */
  readonly read?: readonly string[];
}

const LISTED =
  'id title slug hidden order translation_option content_type modified_at status public_version latest_version url language_code';
const WHOLE =
  'id title content html_content category_id project_version_id version_number public_version latest_version hidden status order created_by authors created_at modified_at slug is_fall_back_content description content_type translation_option url';
const NAMES = 'reader_id first_name last_name email is_invite_sso_user associated_reader_groups';

const READS: readonly Operation[] = [
  {
    operation: 'GET /v2/ProjectVersions',
    call: (backend, caller) => backend.projectVersions(caller),
    read: 'id version_code_name is_main_version language_versions'.split(' '),
  },
  {
    operation: 'GET /v2/ProjectVersions/{projectVersionId}/articles',
    call: (backend, caller) => backend.listArticles(caller, VERSION, PAGE),
    read: LISTED.split(' '),
  },
  {
    operation: 'GET /v2/ProjectVersions/{projectVersionId}/categories',
    call: async (backend, caller) => [
      await backend.rootCategories(caller, VERSION),
      ...(await backend.articlesOfCategories(caller, [CATEGORY], PAGE)),
    ],
    read: 'id project_version_id language_code name order parent_category_id articles child_categories'.split(' '),
  },
  {
    operation: 'GET /v2/Articles/{articleId}/{langCode}',
    call: (backend, caller) => backend.articles(caller, [KEY]),
    read: WHOLE.split(' '),
  },
  {
    operation: 'GET /v2/Articles/{articleId}/{langCode}/versions/{versionNumber}',
    call: (backend, caller) => backend.articles(caller, [{ ...KEY, versionNumber: 1 }]),
    read: WHOLE.split(' '),
  },
  {
    operation: 'GET /v2/Articles/{articleId}/{langCode}/versions',
    call: (backend, caller) => backend.articleVersions(caller, [ARTICLE]),
    read: 'version_number created_at modified_at status base_version'.split(' '),
  },
  {
    operation: 'GET /v2/Readers',
    call: (backend, caller) => backend.listReaders(caller, null, PAGE),
    read: NAMES.split(' '),
  },
  {
    operation: 'GET /v2/Readers/groups',
    call: (backend, caller) => backend.listReaderGroups(caller, PAGE),
    read: 'reader_group_id title description associated_readers associated_invited_sso_users'.split(' '),
  },
  {
    operation: 'GET /v2/Readers/groups/{groupId}',
    call: (backend, caller) => backend.readerGroups(caller, ['g']),
    read: 'reader_group_id title description associated_readers associated_invited_sso_users'.split(' '),
  },
  {
    operation: 'GET /v2/Teams',
    call: (backend, caller) => backend.listTeamAccounts(caller, PAGE),
    read: 'user_id first_name last_name'.split(' '),
  },
  {
    operation: 'GET /v2/Teams/{userId}',
    call: (backend, caller) => backend.teamAccounts(caller, ['u']),
    read: 'user_id first_name last_name'.split(' '),
  },
  {
    operation: 'GET /v2/ProjectVersions/{projectVersionId}/{langCode}',
    call: (backend, caller) =>
      typeof WORDS === 'string'
        ? Promise.reject(new Error(WORDS))
        : backend.listArticles(caller, { ...VERSION, filter: { words: WORDS, text: 'word' } }, PAGE),
    read: ['hits', 'nb_pages'],
  },
];

const item = { title: 'New', projectVersionId: 'v', categoryId: 'c', userId: 'u' };
const publications = { items: [{ ...KEY, versionNumber: 1 }], userId: 'u', message: null };

const WRITES: readonly Operation[] = [
  {
    operation: 'PUT /v2/Articles/bulkupdate',
    call: (backend, caller) => backend.bulkUpdateArticles(caller, [{ ...KEY, title: 'New' }]),
  },
  { operation: 'POST /v2/Articles', call: (backend, caller) => backend.createArticles(caller, [item]) },
  {
    operation: 'POST /v2/Articles/bulkcreate',
    call: (backend, caller) => backend.createArticles(caller, [item, item]),
  },
  {
    operation: 'POST /v2/Articles/bulkpublish/{langCode}',
    call: (backend, caller) => backend.publishArticles(caller, publications),
  },
  {
    operation: 'PUT /v2/Readers/groups/{groupId}',
    call: (backend, caller) => backend.updateReaderGroup(caller, { ...GROUP, accessScope: { level: 'PROJECT' } }),
  },
];

const IDS = new Set(['id', 'reader_group_id', 'reader_id', 'user_id', 'article_id']);

/** The values of a schema that has no parts. */
function scalarsOf({ type, format }: JsonObject, name: string): fc.Arbitrary<unknown> {
  // What is read has the ID and the version that were asked for.
  if (name === 'version_number') return fc.constant(1);
  if (type === 'integer') return fc.oneof(fc.integer(), fc.constantFrom(0, 1, 2 ** 31 - 1, -(2 ** 31)));
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === 'boolean') return fc.boolean();
  if (format === 'date-time')
    return fc.constantFrom('0001-01-01T00:00:00', '2026-05-06T07:08:09', '2026-05-06T07:08:09.123Z');
  if (type === 'string') return IDS.has(name) ? fc.constantFrom('g', 'g', '') : fc.string();
  return fc.constant({});
}

/** The values of schemas, with and without members that may be missing or null, and with extremes. */
class Values {
  readonly #schemas: ApiFile['schemas'];

  constructor({ schemas }: ApiFile) {
    this.#schemas = schemas;
  }

  of(schema: unknown, name = '', depth = 0): fc.Arbitrary<unknown> {
    const members: JsonObject = isObject(schema) ? schema : {};
    const { $ref, allOf, nullable } = members;
    if (typeof $ref === 'string') return this.of(this.#schemas[$ref.split('/').at(-1) ?? ''], name, depth);
    const values = Array.isArray(allOf) ? this.of(allOf[0], name, depth) : this.#notNull(members, name, depth);
    return nullable === true ? fc.option(values, { freq: 4, nil: null }) : values;
  }

  #notNull(schema: JsonObject, name: string, depth: number): fc.Arbitrary<unknown> {
    const { type, properties, items, enum: constants } = schema;
    if (Array.isArray(constants)) return fc.constantFrom<unknown>(...constants);
    if (type === 'array')
      return depth > 5 ? fc.constant([]) : fc.array(this.of(items, name, depth + 1), { maxLength: 3 });
    if (!isObject(properties)) return scalarsOf(schema, name);
    const record = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, this.of(value, key, depth + 1)]),
    );
    // What has no ID at all is no object of the service; an ID may be null.
    const requiredKeys = Object.keys(record).filter(
      (key) => IDS.has(key) || key === 'version_number' || key === 'hits',
    );
    return fc.oneof(fc.record(record), fc.record(record, { requiredKeys }));
  }
}

/** Answers of a success: the members of the envelope that report errors are empty, in all forms. */
function answersOf(api: ApiFile, operation: string) {
  const found = api.operations.find(({ method, path }) => `${method} ${path}` === operation);
  if (found === undefined) throw new Error(`The API file has no ${operation}.`);
  const schema = found.responses['200']?.content?.['application/json']?.schema;
  const answers = new Values(api).of(schema).map((body) => {
    const answer: JsonObject = isObject(body) ? body : {};
    const isBare = operation === 'GET /v2/Readers';
    return isBare ? answer : { ...answer, success: true, errors: answer['errors'] ? [] : null };
  });
  return { found, answers };
}

/** The same JSON with a member in each object that the API file does not have. */
function withUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (!isObject(value)) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withUnknown(one)])), new_member: [1] };
}

const LIST = json(200, { data: [{ id: 'g', language_code: 'en', latest_version: 1 }], success: true, errors: [] });

/** The errors of a result, or of a list of them. */
const errorsOf = (result: unknown): readonly unknown[] =>
  [result].flat().flatMap((one) => (isObject(one) && one['ok'] === false ? [one['error']] : []));

/** Calls the backend over a service that answers so. */
async function openOver({ operation, call }: Operation) {
  const { service, backend } = await openScene({ versionPausesMs: [] });
  service.on(
    'GET /v2/ProjectVersions',
    json(200, { data: [{ id: 'v', language_versions: [{ code: 'en' }] }], success: true }),
  );
  const isSearch = operation.endsWith('/{langCode}') && operation.includes('ProjectVersions');
  return async (body: unknown) => {
    service.onAny(json(200, body));
    if (operation === 'GET /v2/ProjectVersions') service.on(operation, json(200, body));
    if (isSearch) service.on('GET /v2/ProjectVersions/v/articles', LIST);
    return errorsOf(await call(backend, callerWith()));
  };
}

describe('answers by the API file of the service', needsApiFile, () => {
  it.each(READS)('to $operation are understood', async (read) => {
    const api = new ApiFile();
    const { found, answers } = answersOf(api, read.operation);
    const ask = await openOver(read);
    await fc.assert(
      fc.asyncProperty(answers, fc.boolean(), async (answer, isNew) => {
        // A bare object without any member is no answer of the service.
        fc.pre(Object.keys(answer).length > 0);
        expect(api.checkAnswer(found, 200, answer)).toEqual([]);
        expect(await ask(isNew ? withUnknown(answer) : answer)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(WRITES)('to $operation have an outcome', async (write) => {
    const api = new ApiFile();
    const { found, answers } = answersOf(api, write.operation);
    const ask = await openOver(write);
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        expect(api.checkAnswer(found, 200, answer)).toEqual([]);
        for (const error of await ask(answer)) expect(error).toMatchObject({ mayHaveApplied: true });
      }),
      { numRuns: 30 },
    );
  });

  it.each(READS.flatMap(({ read = [], ...one }) => read.map((member) => ({ ...one, member }))))(
    'to $operation are an error that names $member where that has another type',
    async ({ member, ...read }) => {
      const api = new ApiFile();
      const { found } = answersOf(api, read.operation);
      const isReader = read.operation === 'GET /v2/Readers';
      const key = /Readers|Teams/u.test(read.operation) ? 'result' : 'data';
      const id = { hits: [], id: 'c', reader_id: 'r', reader_group_id: 'g', user_id: 'u', version_number: 1 };
      const text = JSON.stringify(found.responses['200']?.content?.['application/json']?.schema);
      const envelope = api.schemas[text.match(/schemas\/(?<name>\w+)/u)?.groups?.['name'] ?? ''];
      const payload = isReader ? undefined : Object(Object(envelope).properties)[key];
      const isList = isObject(payload) && payload['type'] === 'array';
      const known = { ...id, [member]: { wrong: true } };
      const body = isReader ? known : { [key]: isList ? [known] : known, success: true };
      expect(api.checkAnswer(found, 200, body)).not.toEqual([]);
      const errors = await (await openOver(read))(body);
      expect(errors).toContainEqual(
        expect.objectContaining({ kind: 'unavailable', message: expect.stringMatching(`at payload.*${member}`) }),
      );
    },
  );
});
