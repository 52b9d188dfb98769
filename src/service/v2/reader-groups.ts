import { z } from 'zod';
import type { JsonObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { textProblem } from '../../core/base/text.ts';
import { createServiceError, type ServiceError } from '../../core/notices.ts';
import {
  type ReaderGroupReplacement,
  readerGroupTitleProblem,
  type WholeReaderGroupUpdate,
} from '../../core/reader-groups/reader-group-updates.ts';
import type { ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import {
  decodeAccessScope,
  encodeAccessScope,
  requestAccessScope,
  responseAccessScope,
  type UnusedListEncoding,
} from './access-scopes.ts';
import { ACCESS_SCOPE_REQUIRED, TITLE_REQUIRED } from './errors.ts';
import { idIn, objectOf, textIn, textsIn } from './fields.ts';
import { decodeBody, requestList, storableId } from './request-bodies.ts';

/** Encodes a group in the form of reads. */
export const encodeReaderGroup = (group: ReaderGroupReplacement): JsonObject => ({
  reader_group_id: group.groupId,
  ...encodeProperties(group, []),
});

/** Encodes every member, since sources disagree on absent ones: see docs/service.md, "Reader group update". */
export const encodeReaderGroupReplacement = (group: ReaderGroupReplacement): JsonObject =>
  encodeProperties(group, null);

const encodeProperties = (group: ReaderGroupReplacement, unusedScopeList: UnusedListEncoding): JsonObject => ({
  title: group.title,
  description: group.description,
  associated_readers: group.readerIds,
  access_scope: encodeAccessScope(group.accessScope, unusedScopeList),
  associated_invited_sso_users: group.invitedSsoUserIds,
});

/** Decodes a group; null without its ID. */
export function decodeReaderGroup(given: unknown): ReaderGroup | null {
  const entry = objectOf(given);
  const groupId = idIn(entry, 'reader_group_id');
  if (groupId === null) return null;
  return {
    groupId,
    title: textIn(entry, 'title') ?? '',
    description: textIn(entry, 'description'),
    readerIds: textsIn(entry, 'associated_readers'),
    invitedSsoUserIds: textsIn(entry, 'associated_invited_sso_users'),
    accessScope: responseAccessScope.parse(entry['access_scope']),
  };
}

const replacementBody = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  associated_readers: requestList(storableId).nullish(),
  access_scope: requestAccessScope.nullish(),
  associated_invited_sso_users: requestList(storableId).nullish(),
});

/**
 * Decodes the body of a full replacement: an absent member list is empty, and an absent description is null. The error
 * has every finding, in the service's words where they are known. A missing body has those of `{}`. See
 * docs/contract.md, "Store group update".
 */
export function decodeReaderGroupReplacement(
  groupId: string,
  body: unknown,
): Result<WholeReaderGroupUpdate, readonly ServiceError[]> {
  const shape = decodeBody(replacementBody, body ?? {});
  if (!shape.ok) return shape;
  const { title, description = null, access_scope } = shape.value;
  const scope = access_scope == null ? err([ACCESS_SCOPE_REQUIRED]) : decodeAccessScope(access_scope);
  const titleProblem = title ? readerGroupTitleProblem(title) : null;
  const descriptionProblem = description === null ? null : textProblem(description);
  const findings = [
    ...(title ? [] : [TITLE_REQUIRED]),
    ...(titleProblem === null ? [] : [`The Title field ${titleProblem}.`]),
    ...(descriptionProblem === null ? [] : [`The Description field ${descriptionProblem}.`]),
    ...(scope.ok ? [] : scope.error),
  ];
  if (!title || !scope.ok || findings.length > 0) return err(findings.map((finding) => createServiceError(finding)));
  return ok({
    groupId,
    title,
    description,
    readerIds: shape.value.associated_readers ?? [],
    invitedSsoUserIds: shape.value.associated_invited_sso_users ?? [],
    accessScope: scope.value,
  });
}
