import { z } from 'zod';
import { EMPTY_BULK_UPDATE_TEXT, type UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { type ArticlePublications, MAX_PUBLISHED_VERSION } from '../../core/articles/publications.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { createServiceError, type ServiceError } from '../../core/notices.ts';
import { decodeBody, decodeListBody, requestList, storableId, storableText } from './request-bodies.ts';

interface SentPublication extends Pick<UpdateTarget, 'articleId'> {
  readonly versionNumber: number;
}

type Sender = Omit<ArticlePublications, 'items'>;

const encodeItem = ({ articleId, versionNumber }: SentPublication) => ({
  article_id: articleId,
  version_number: versionNumber,
});

/** Encodes the request. A message that is undefined is omitted, and one that is null is sent. */
export const encodePublishing = (items: readonly SentPublication[], { userId, message }: Sender) =>
  items.map((item) => ({ ...encodeItem(item), user_id: userId, publish_message: message }));

/** Encodes the request to unpublish. */
export const encodeUnpublishing = (
  items: readonly SentPublication[],
  { userId, message, projectVersionId }: Sender & { readonly projectVersionId: string },
) => ({
  articles: items.map(encodeItem),
  user_id: userId,
  project_version_id: projectVersionId,
  unpublish_message: message,
});

const text = storableText.nullish();
const id = storableId.nullish();
const item = z.object({ article_id: id, version_number: z.int32().nullish() });
const itemWithSender = item.extend({ user_id: id, publish_message: text });
const publishingBody = requestList(itemWithSender);
const unpublishingBody = z.object({
  articles: requestList(item).nullish(),
  user_id: id,
  project_version_id: id,
  unpublish_message: text,
});

type Decoded = Result<ArticlePublications, readonly ServiceError[]>;

/** Decodes the body. It has no language: the path has the one of all items. */
export function decodePublishing(body: unknown, languageCode: string): Decoded {
  const items = decodeListBody(publishingBody, body);
  if (!items.ok) return items;
  const [first] = items.value;
  const users = new Set(items.value.map(({ user_id }) => user_id ?? null));
  const user_id = users.has(null) ? null : first?.user_id;
  const findings = users.size > 1 && user_id !== null ? [ONE_USER_TEXT] : [];
  return toPublications(items.value, { user_id, languageCode, message: first?.publish_message, findings });
}

/** Decodes the body for any project version, since the articles have theirs. */
export function decodeUnpublishing(body: unknown, languageCode: string): Decoded {
  const members = decodeBody(unpublishingBody, body ?? {});
  if (!members.ok) return members;
  const { articles, user_id, project_version_id, unpublish_message: message } = members.value;
  const findings = project_version_id ? [] : ['The ProjectVersionId field is required.'];
  return toPublications(articles ?? [], { user_id, languageCode, message, findings });
}

const ONE_USER_TEXT = 'All items must name the same user_id.';

interface RequestMembers {
  readonly user_id?: string | null | undefined;
  readonly languageCode: string;
  readonly message: string | null | undefined;
  readonly findings: readonly string[];
}

/** Converts the items. The error has every finding once, in the words of the service where they are known. */
function toPublications(
  items: readonly z.output<typeof item>[],
  { user_id: userId, languageCode, message, findings }: RequestMembers,
): Decoded {
  if (items.length === 0) return err([createServiceError(EMPTY_BULK_UPDATE_TEXT, '400')]);
  const targets = items.flatMap(({ article_id: articleId, version_number: versionNumber }) =>
    articleId && isPublishable(versionNumber) ? [{ articleId, languageCode, versionNumber }] : [],
  );
  const all = [
    ...(items.every(({ article_id }) => article_id) ? [] : ['The ArticleId field is required.']),
    ...(items.every(({ version_number }) => isPublishable(version_number)) ? [] : [VERSION_TEXT]),
    ...(userId ? [] : ['The UserId field is required.']),
    ...findings,
  ];
  return userId && all.length === 0
    ? ok({ items: targets, userId, message })
    : err(all.map((finding) => createServiceError(finding)));
}

const VERSION_TEXT = `The field VersionNumber must be between 1 and ${MAX_PUBLISHED_VERSION}.`;

const isPublishable = (versionNumber: number | null | undefined): boolean =>
  versionNumber != null && versionNumber >= 1 && versionNumber <= MAX_PUBLISHED_VERSION;
