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
import type { CategoryCreation } from '../../core/articles/category-creations.ts';
import { isObject } from '../../core/base/json.ts';
import { idKeyOf, storedFormOf } from '../../core/base/text.ts';
import type { ServiceError } from '../../core/notices.ts';
import { type Envelope, reportsSuccess } from './envelope.ts';
import { lenientBoolean, lenientId, lenientText } from './fields.ts';
import { storableId, storableText } from './request-bodies.ts';

/** The members of an article to be created as the service names them. */
const articleMembers = z.object({
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
  }) satisfies Record<keyof z.input<typeof articleMembers>, unknown>;

/** The members of a category to be created as the service names them. A category without a type is a folder. */
const categoryMembers = z.object({
  name: z.string().nullish(),
  project_version_id: storableText.nullish(),
  parent_category_id: storableId.nullish(),
  user_id: storableText.nullish(),
  order: z.int32().nullish(),
  category_type: z.literal(0, 'Only categories of the type 0 (folder) can be created here.').nullish(),
});

/** Encodes a category. A member that is undefined is omitted, and one that is null is sent. */
export const encodeCategoryCreation = (creation: CategoryCreation) =>
  ({
    name: creation.name,
    project_version_id: creation.projectVersionId,
    parent_category_id: creation.parentCategoryId,
    user_id: creation.userId,
    order: creation.order,
    category_type: 0,
  }) satisfies Record<keyof z.input<typeof categoryMembers>, unknown>;

/** What a create makes, as the texts of the service name it. */
export type Noun = 'article' | 'category';

export type Titled = Pick<ArticleCreation, 'title'>;

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

/** The findings about members that both creates have, in the service's words where they are known. */
function findingsOf(label: 'Title' | 'Name', text: string | null | undefined, item: SharedMembers): readonly string[] {
  const problem = text?.trim() ? titleProblem(text) : null;
  return [
    ...(text?.trim() ? [] : [`The ${label} field is required.`]),
    ...(problem === null ? [] : [`The ${label} field ${problem}.`]),
    ...(item.project_version_id ? [] : ['The ProjectVersionId field is required.']),
    ...(item.order != null && item.order < 0 ? ['The Order field must not be negative.'] : []),
  ];
}

type SharedMembers = Pick<z.output<typeof articleMembers>, 'project_version_id' | 'order'>;

/** An item of the create of articles. */
export const articleCreation = articleMembers.transform((item, context): ArticleCreation => {
  const { title, project_version_id: projectVersionId, user_id: userId, content_type: type, order } = item;
  const contentType = type == null ? undefined : ARTICLE_CONTENT_TYPES[type];
  for (const finding of findingsOf('Title', title, item)) context.addIssue(finding);
  if (!userId) context.addIssue('The UserId field is required.');
  if (type != null && contentType === undefined) context.addIssue('The ContentType field must be 0, 1 or 2.');
  if (!title || !projectVersionId || !userId) return z.NEVER;
  const { category_id: categoryId, content } = item;
  return { title, projectVersionId, userId, categoryId, content, contentType, order: order || undefined };
});

/** An item of the create of categories. */
export const categoryCreation = categoryMembers.transform((item, context): CategoryCreation => {
  const { name, project_version_id: projectVersionId, parent_category_id: parentCategoryId, order } = item;
  for (const finding of findingsOf('Name', name, item)) context.addIssue(finding);
  if (!name || !projectVersionId) return z.NEVER;
  return { name, projectVersionId, parentCategoryId, order: order || undefined, userId: item.user_id || undefined };
});
