import { z } from 'zod';
import {
  type ArticleCreation,
  countEach,
  firstLineOf,
  nameOf,
  titleOf,
  titleProblem,
} from '../../core/articles/article-creations.ts';
import { ARTICLE_CONTENT_TYPES } from '../../core/articles/articles.ts';
import { isObject } from '../../core/base/json.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf, storedFormOf } from '../../core/base/text.ts';
import type { ServiceError } from '../../core/notices.ts';
import { type Envelope, reportsSuccess } from './envelope.ts';
import { TITLE_REQUIRED } from './errors.ts';
import { lenientBoolean, lenientId, lenientText } from './fields.ts';
import { decodeBody, decodeListBody, requestList, storableId, storableText } from './request-bodies.ts';

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

/** Encodes an article. A member that is undefined is omitted, and one that is null is sent. */
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

/** What a create makes, as the texts of the service name it. */
type Noun = 'article' | 'category';

type Titled = Pick<ArticleCreation, 'title'>;

const createdPrefix = (noun: Noun): string => `Successfully created ${noun} `;
const failedPrefix = (noun: Noun): string => `Failed to create ${noun} `;
const ERROR = '\r\nError: ';

/** The documented texts: see docs/service.md, "Article create". */
export const createdText = ({ title }: Titled, noun: Noun = 'article'): string => createdPrefix(noun) + title;
/** The service's text for an item that failed. */
export const failedText = ({ title }: Titled, reason: string, noun: Noun = 'article'): string =>
  `${failedPrefix(noun)}${title}${ERROR}${reason}`;

/** Converts the answer to the create of one item to that of several. With errors, nothing was created. */
export const listOfCreated = (envelope: Envelope, noun: Noun = 'article'): Envelope =>
  reportsSuccess(envelope) && isObject(envelope.payload)
    ? { ...envelope, payload: [{ [`${noun}_id`]: envelope.payload['id'], success: true }] }
    : envelope;

/** An item that was created or has failed. `id` is that of the article or category. */
export type DecodedCreation =
  | { readonly kind: 'created'; readonly details: string | null; readonly id: string }
  | { readonly kind: 'failed'; readonly details: string | null };

/**
 * The outcome of each item by its position; null where the answer has none for it. Undocumented texts identify no item.
 * Where an entry is about another item than the one in its position, the others are matched only by unique names.
 */
export function decodeCreationOutcomes(
  payload: readonly unknown[],
  items: readonly Titled[],
  noun: Noun = 'article',
): readonly (DecodedCreation | null)[] {
  if (payload.length !== items.length) return items.map(() => null);
  const names = countEach(items.map(nameOf));
  const titles = countEach(items.map(titleOf));
  const results = payload.map((entry, index) => {
    const { [`${noun}_id`]: id, success, details } = isObject(entry) ? entry : {};
    const text = lenientText(details);
    const item = items[index] ?? { title: '' };
    // A failure applies to all items of its name, if these have one title.
    const isOneTitle = names.get(nameOf(item)) === titles.get(titleOf(item));
    return {
      id: lenientId(id),
      success: lenientBoolean(success),
      details: text,
      namesItem: text === null ? null : namesItem(text, item, { noun, isOneTitle }),
    };
  });
  const isInOrder = results.every(({ namesItem }) => namesItem !== false);
  const ids = countEach(results.map(({ id }) => id && idKeyOf(id)));
  return items.map((item, index) => {
    const { id = null, success, details = null, namesItem } = results[index] ?? {};
    if (!isInOrder && !(namesItem && names.get(nameOf(item)) === 1)) return null;
    if (success === false) return { kind: 'failed', details: details && reasonIn(details, noun) };
    if (success !== true || id === null || ids.get(idKeyOf(id)) !== 1) return null;
    return { kind: 'created', details: details === createdText(item, noun) ? null : details, id };
  });
}

/** True where a text is about the item, ignoring white space that the service may cut off; null for undocumented texts. */
function namesItem(
  text: string,
  item: Titled,
  { noun, isOneTitle }: { readonly noun: Noun; readonly isOneTitle: boolean },
): boolean | null {
  const created = createdPrefix(noun);
  if (text.startsWith(created)) return storedFormOf(text.slice(created.length)) === titleOf(item);
  return text.startsWith(failedPrefix(noun)) ? isOneTitle && nameIn(text, noun) === nameOf(item) : null;
}

const nameIn = (failure: string, noun: Noun): string =>
  firstLineOf(storedFormOf(failure.slice(failedPrefix(noun).length)));

/** The text without the title. */
function reasonIn(text: string, noun: Noun): string {
  const [, ...reason] = text.startsWith(failedPrefix(noun)) ? text.split(ERROR) : [];
  return reason.length === 0 ? text : reason.join(ERROR);
}

/** The reasons of errors by the names of the items that they are about. */
export const failuresByName = (errors: readonly ServiceError[], noun: Noun = 'article'): ReadonlyMap<string, string> =>
  new Map(
    errors.flatMap(({ description }) =>
      description?.startsWith(failedPrefix(noun))
        ? [[nameIn(description, noun), reasonIn(description, noun)] as const]
        : [],
    ),
  );

const creation = creationMembers.transform((item, context): ArticleCreation => {
  const decoded = toCreation(item);
  if (decoded.ok) return decoded.value;
  for (const finding of decoded.error) context.addIssue(finding);
  return z.NEVER;
});

const creationList = requestList(creation);

/** Decodes the body of the create of one article. An absent body and null are the documented error of an empty one. */
export const decodeCreationBody = (body: unknown): Decoded =>
  body == null ? decodeListBody(creationList, body) : mapOk(decodeBody(creation, body), (item) => [item]);
/** Decodes the body of the create of several articles. */
export const decodeCreationListBody = (body: unknown): Decoded => decodeListBody(creationList, body);

type Decoded = Result<readonly ArticleCreation[], readonly ServiceError[]>;

/** Converts an item. The error has every finding, in the service's words where they are known. */
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
