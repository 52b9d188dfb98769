import { z } from 'zod';
import { titleProblem } from '../../core/articles/article-creations.ts';
import type { CategoryCreation } from '../../core/articles/category-creations.ts';
import { mapOk, type Result } from '../../core/base/result.ts';
import type { ServiceError } from '../../core/notices.ts';
import { decodeBody, decodeListBody, requestList, storableId, storableText } from './request-bodies.ts';

/** The members of a category to be created as the service names them. A category without a type is a folder. */
const members = z.object({
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
  }) satisfies Record<keyof z.input<typeof members>, unknown>;

const creation = members.transform((item, context): CategoryCreation => {
  const { name, project_version_id: projectVersionId, parent_category_id: parentCategoryId, order } = item;
  const problem = name?.trim() ? titleProblem(name) : null;
  if (!name?.trim()) context.addIssue('The Name field is required.');
  else if (problem !== null) context.addIssue(`The Name field ${problem}.`);
  if (!projectVersionId) context.addIssue('The ProjectVersionId field is required.');
  if (order != null && order < 0) context.addIssue('The Order field must not be negative.');
  if (!name || !projectVersionId) return z.NEVER;
  return { name, projectVersionId, parentCategoryId, order: order || undefined, userId: item.user_id || undefined };
});

const creationList = requestList(creation);

type Decoded = Result<readonly CategoryCreation[], readonly ServiceError[]>;

/** Decodes the body of the create of one category. */
export const decodeCategoryBody = (body: unknown): Decoded =>
  body == null ? decodeListBody(creationList, body) : mapOk(decodeBody(creation, body), (item) => [item]);

/** Decodes the body of the create of several categories. */
export const decodeCategoryListBody = (body: unknown): Decoded => decodeListBody(creationList, body);
