import fc from 'fast-check';
import type { Article } from '../../src/core/articles/articles.ts';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import type { JsonObject } from '../../src/core/base/json.ts';
import type { Notice, ServiceError } from '../../src/core/notices.ts';
import type { AccessScope } from '../../src/core/reader-groups/access-scopes.ts';
import type { WholeReaderGroupUpdate } from '../../src/core/reader-groups/reader-group-updates.ts';

/** Any Unicode text that a store can keep: without U+0000 and without halves of surrogate pairs. */
export const soundText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '·'));

export const id = soundText.filter((text) => text !== '');

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

const position = fc.integer({ min: 1, max: 2 ** 31 - 1 });

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.constantFrom(null, undefined));

const moment = maybe(fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }));

export const articleUpdate: fc.Arbitrary<ArticleUpdate> = fc.record({
  articleId: id,
  languageCode: nullable(soundText),
  title: nullable(soundText),
  content: nullable(soundText),
  htmlContent: nullable(soundText),
  categoryId: nullable(soundText),
  hidden: fc.constantFrom(true, false, undefined),
  versionNumber: nullable(int32),
  ifRevision: fc.constant(undefined),
  translationStatus: fc.constantFrom('NONE', 'NEEDS_TRANSLATION', 'TRANSLATED', 'IN_PROGRESS', null, undefined),
  source: nullable(soundText),
  order: fc.option(position, { nil: undefined }),
} satisfies Record<keyof ArticleUpdate, fc.Arbitrary<unknown>>);

const languageScope = fc.record({ projectVersionId: id, languageCode: id });

const categoryScope = fc.record({ projectVersionId: id, categoryId: id, languageCode: id });

export const accessScope: fc.Arbitrary<AccessScope> = fc.oneof(
  fc.record({ level: fc.constantFrom('NONE', 'PROJECT', 'ARTICLE', 'LEVEL_6') }),
  fc.record({ level: fc.constant('CATEGORY'), categories: fc.array(categoryScope, { minLength: 1 }) }),
  fc.record({ level: fc.constant('VERSION'), projectVersionIds: fc.array(id, { minLength: 1 }) }),
  fc.record({ level: fc.constant('LANGUAGE'), languages: fc.array(languageScope, { minLength: 1 }) }),
);

/** Titles of reader groups that match the service's pattern: see docs/service.md, "Reader group update". */
const title = soundText
  .map((text) => text.replaceAll(/[~`!@#$%^&*)(+=|\][{};:?/>'.,]/gu, '-'))
  .filter((text) => text !== '');

export const replacement: fc.Arbitrary<WholeReaderGroupUpdate> = fc.record({
  groupId: id,
  title,
  description: maybe(soundText),
  readerIds: fc.array(id),
  invitedSsoUserIds: fc.array(id),
  accessScope,
});

/** An article as a read of a single article gives it. */
export const article = fc.record({
  articleId: id,
  languageCode: id,
  projectVersionId: id,
  versionNumber: position,
  pinned: fc.boolean(),
  latestVersionNumber: position,
  title: maybe(soundText),
  content: maybe(soundText),
  htmlContent: maybe(soundText),
  categoryId: maybe(id),
  slug: maybe(soundText),
  hidden: fc.boolean(),
  order: maybe(position),
  translationStatus: fc.constantFrom('NONE', 'NEEDS_TRANSLATION', 'TRANSLATED', 'IN_PROGRESS', null),
  contentType: fc.constantFrom('MARKDOWN', 'WYSIWYG', 'BLOCK', null),
  modifiedAt: moment,
  status: fc.constantFrom('DRAFT', 'PUBLISHED', null),
  publicVersionNumber: maybe(position),
  url: maybe(soundText),
  description: maybe(soundText),
  createdAt: moment,
  createdBy: maybe(id),
  authors: fc.array(fc.record({ userId: id, firstName: maybe(soundText), lastName: maybe(soundText) })),
}) satisfies fc.Arbitrary<Article>;

/** Any JSON object, the member `__proto__` included. */
const jsonObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue())
  .map((members) => JSON.parse(JSON.stringify(members)));

export const serviceError: fc.Arbitrary<ServiceError> = fc.record({
  description: maybe(soundText),
  errorCode: maybe(soundText),
  customData: maybe(jsonObject),
  extensionData: maybe(jsonObject),
});

export const warning: fc.Arbitrary<Notice> = fc.record({
  description: maybe(soundText),
  code: maybe(soundText),
  extensionData: maybe(jsonObject),
});

/** The value after it was written as JSON and parsed again. */
export const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
