import { z } from 'zod';
import { isObject } from '../base/json.ts';
import { MAX_BODY_FINDINGS, MAX_CREATED_TITLE } from '../base/limits.ts';
import { err, mapOk, ok, type Result } from '../base/result.ts';
import {
  type ArticleCreation,
  type CreationOutcome,
  countEach,
  titleOf,
  titleProblem,
} from '../domain/articles/article-creations.ts';
import { ARTICLE_CONTENT_TYPES } from '../domain/articles/articles.ts';
import { EMPTY_BULK_UPDATE_TEXT } from '../domain/articles/bulk-updates.ts';
import { createServiceError, type ServiceError } from '../domain/notices.ts';
import { TITLE_REQUIRED } from './errors.ts';
import { lenientBoolean, lenientId, lenientText } from './fields.ts';
import { decodeBody, requestList, storableId, storableText } from './request-bodies.ts';

/** The members of an article to be created as the service names them. */
const creationMembers = z.object({
  title: z.string().nullish(),
  project_version_id: storableText.nullish(),
  user_id: storableText.nullish(),
  category_id: storableId.nullish(),
  content: storableText.nullish(),
  content_type: z.int().nullish(),
  order: z.int32().nullish(),
});

/** Omits a member that is undefined, and sends one that is null. */
export const encodeArticleCreation = (creation: ArticleCreation) =>
  ({
    title: creation.title,
    project_version_id: creation.projectVersionId,
    user_id: creation.userId,
    category_id: creation.categoryId,
    content: creation.content,
    content_type: creation.contentType && ARTICLE_CONTENT_TYPES.indexOf(creation.contentType),
    order: creation.order,
  }) satisfies Record<keyof z.input<typeof creationMembers>, unknown>;

const CREATED = 'Successfully created article ';
const FAILED = 'Failed to create article ';
const ERROR = '\r\nError: ';

/** The documented texts: see docs/service.md, "Article create". */
export const createdText = ({ title }: Pick<ArticleCreation, 'title'>): string => CREATED + title;
export const failedText = ({ title }: Pick<ArticleCreation, 'title'>, reason: string): string =>
  `${FAILED}${title}${ERROR}${reason}`;

/** The outcome of the only item of a call, from the article in the answer; null where the answer does not name it. */
export function decodeCreatedArticle(payload: unknown): CreationOutcome | null {
  const articleId = isObject(payload) ? lenientId(payload['id']) : null;
  return articleId === null ? null : { kind: 'created', details: null, articleId };
}

/**
 * The outcome of each item by its position; null where the answer leaves it open. Other texts than the documented ones name
 * no title. Where an entry names another title than that of its item, the others tell only of titles that stand once.
 */
export function decodeCreationOutcomes(
  payload: readonly unknown[],
  items: readonly ArticleCreation[],
): readonly (CreationOutcome | null)[] {
  if (payload.length !== items.length) return items.map(() => null);
  const results = payload.map(decodeResult);
  const titles = countEach(items.map(titleOf));
  const names = results.map(({ details }) => titleIn(details, titles));
  const isInOrder = items.every((item, index) => (names[index] ?? titleOf(item)) === titleOf(item));
  const ids = countEach(results.map(({ articleId }) => articleId));
  return items.map((item, index) => {
    const { articleId = null, success, details = null } = results[index] ?? {};
    const title = titleOf(item);
    const isItsOwn = isInOrder || (names[index] === title && titles.get(title) === 1);
    if (isItsOwn && success === false) return { kind: 'failed', details: details && reasonIn(details) };
    const isCreated = isItsOwn && success === true && articleId !== null && ids.get(articleId) === 1;
    return isCreated ? { kind: 'created', details: details === createdText(item) ? null : details, articleId } : null;
  });
}

function decodeResult(entry: unknown) {
  const { article_id, success, details } = isObject(entry) ? entry : {};
  return { articleId: lenientId(article_id), success: lenientBoolean(success), details: lenientText(details) };
}

/**
 * The title that a documented text names, without white space at its ends, which the service may cut off; null for other texts.
 * Titles may have line breaks, so a failure may begin with several of the titles of its call: then it names none, by an empty one.
 */
function titleIn(text: string | null, titles: ReadonlyMap<string, unknown>): string | null {
  if (text?.startsWith(CREATED)) return text.slice(CREATED.length).trim();
  if (!text?.startsWith(FAILED)) return null;
  const start = `${text.slice(FAILED.length)}\n`.slice(0, MAX_CREATED_TITLE + 1);
  const lines = [...start.matchAll(/[\r\n]/gu)].map(({ index }) => start.slice(0, index).trim());
  const [title = '', ...others] = new Set(lines.filter((line) => titles.has(line)));
  return others.length === 0 ? title : '';
}

/** The text without the title. */
function reasonIn(text: string): string {
  const [, ...reason] = text.startsWith(FAILED) ? text.split(ERROR) : [];
  return reason.length === 0 ? text : reason.join(ERROR);
}

/** The reasons that errors give, by the titles of the items of their call that they name. */
export function failuresByTitle(
  errors: readonly ServiceError[],
  items: readonly ArticleCreation[],
): ReadonlyMap<string, string> {
  const titles = countEach(items.map(titleOf));
  return new Map(
    errors.flatMap(({ description }) => {
      const title = description?.startsWith(FAILED) ? titleIn(description, titles) : null;
      return description === null || title === null ? [] : [[title, reasonIn(description)] as const];
    }),
  );
}

const creationList = requestList(creationMembers);

/** The bodies of both creates. No body, null and `[]` are the documented error of an empty one. */
export const decodeCreationBody = (body: unknown): Decoded =>
  decodeCreations(body == null ? ok([]) : mapOk(decodeBody(creationMembers, body), (item) => [item]), () => '');
export const decodeCreationListBody = (body: unknown): Decoded =>
  decodeCreations(decodeBody(creationList, body ?? []), (at) => `$[${at}]: `);

type Decoded = Result<readonly ArticleCreation[], readonly ServiceError[]>;

function decodeCreations(
  members: Result<readonly z.output<typeof creationMembers>[], readonly ServiceError[]>,
  placeOf: (index: number) => string,
): Decoded {
  if (!members.ok) return members;
  if (members.value.length === 0) return err([createServiceError(EMPTY_BULK_UPDATE_TEXT, '400')]);
  const creations: ArticleCreation[] = [];
  const findings: string[] = [];
  for (const [index, item] of members.value.entries()) {
    const creation = toCreation(item);
    if (creation.ok) creations.push(creation.value);
    else findings.push(...creation.error.map((finding) => placeOf(index) + finding));
  }
  if (findings.length === 0) return ok(creations);
  return err(findings.slice(0, MAX_BODY_FINDINGS).map((finding) => createServiceError(finding)));
}

/** The error has every finding of the item, in the service's words where they are known. */
function toCreation(item: z.output<typeof creationMembers>): Result<ArticleCreation, readonly string[]> {
  const { title, project_version_id: projectVersionId, user_id: userId, content_type: type, order } = item;
  const contentType = type == null ? undefined : ARTICLE_CONTENT_TYPES[type];
  const problem = title?.trim() ? titleProblem(title) : null;
  const findings = [
    ...(title?.trim() ? [] : [TITLE_REQUIRED]),
    ...(problem === null ? [] : [`The Title field ${problem}.`]),
    ...(projectVersionId ? [] : ['The ProjectVersionId field is required.']),
    ...(userId ? [] : ['The UserId field is required.']),
    ...(type != null && contentType === undefined ? ['The ContentType field must be 0, 1 or 2.'] : []),
    ...(order != null && order < 0 ? ['The Order field must not be negative.'] : []),
  ];
  if (!title || !projectVersionId || !userId || findings.length > 0) return err(findings);
  const { category_id: categoryId, content } = item;
  return ok({ title, projectVersionId, userId, categoryId, content, contentType, order: order || undefined });
}
