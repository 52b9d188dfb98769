import { z } from 'zod';
import type { JsonObject, ServiceError } from '../domain/notices.ts';
import { serviceError } from '../domain/notices.ts';
import {
  type ReaderGroup,
  type ReaderGroupReplacement,
  readerGroupTitleProblem,
} from '../domain/reader-groups/reader-group-updates.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { textProblem } from '../domain/text.ts';
import { accessScopeBody, decodeAccessScope, encodeAccessScope, readAccessScope } from './access-scopes.ts';
import { ACCESS_SCOPE_REQUIRED, TITLE_REQUIRED } from './errors.ts';
import { listOf, text } from './fields.ts';
import { decodeBody, requestList, soundId } from './request-bodies.ts';

/** The body of the group PUT: every member stated, the lists of other levels null (spec, rule 2). */
export const encodeReplacement = (group: ReaderGroupReplacement): JsonObject => ({
  title: group.title,
  description: group.description,
  associated_readers: group.readerIds,
  access_scope: encodeAccessScope(group.accessScope, null),
  associated_invited_sso_users: group.invitedSsoUserIds,
});

const replacementBody = z.object({
  title: z.string().nullish(),
  description: z.string().nullish(),
  associated_readers: requestList(soundId).nullish(),
  access_scope: accessScopeBody.nullish(),
  associated_invited_sso_users: requestList(soundId).nullish(),
});

/**
 * Reads the body of a group PUT. The PUT is a full replacement: a list that is null or absent is empty, an absent
 * description is none. The error lists every finding, those of the spec in its own words; of no body at all it says what
 * it says of `{}`.
 */
export function decodeReplacement(
  groupId: string,
  body: unknown,
): Result<ReaderGroupReplacement, readonly ServiceError[]> {
  const shape = decodeBody(replacementBody, body ?? {});
  if (!shape.ok) return shape;
  const { title, description = null, access_scope } = shape.value;
  const scope = access_scope == null ? err([ACCESS_SCOPE_REQUIRED]) : decodeAccessScope(access_scope);
  const findings = [...titleFindings(title), ...descriptionFindings(description), ...(scope.ok ? [] : scope.error)];
  if (!title || !scope.ok || findings.length > 0) return err(findings.map((finding) => serviceError(finding)));
  return ok({
    groupId,
    title,
    description,
    readerIds: shape.value.associated_readers ?? [],
    invitedSsoUserIds: shape.value.associated_invited_sso_users ?? [],
    accessScope: scope.value,
  });
}

function titleFindings(title: string | null | undefined): readonly string[] {
  if (!title) return [TITLE_REQUIRED];
  const problem = readerGroupTitleProblem(title);
  return problem === null ? [] : [`The Title field ${problem}.`];
}

function descriptionFindings(description: string | null): readonly string[] {
  const problem = description === null ? null : textProblem(description);
  return problem === null ? [] : [`The Description field ${problem}.`];
}

/** A group as reads answer it; the lists of other levels are `[]` there. */
export const encodeReaderGroup = (group: ReaderGroup): JsonObject => ({
  reader_group_id: group.groupId,
  title: group.title,
  description: group.description,
  associated_readers: group.readerIds,
  access_scope: encodeAccessScope(group.accessScope, []),
  associated_invited_sso_users: group.invitedSsoUserIds,
});

const readerGroup = z
  .object({
    reader_group_id: z.string().min(1),
    title: text,
    description: text,
    associated_readers: z.array(z.string()).nullish(),
    associated_invited_sso_users: z.array(z.string()).nullish(),
    access_scope: readAccessScope,
  })
  .transform(
    (group): ReaderGroup => ({
      groupId: group.reader_group_id,
      title: group.title ?? '',
      description: group.description,
      readerIds: group.associated_readers ?? [],
      invitedSsoUserIds: group.associated_invited_sso_users ?? [],
      accessScope: group.access_scope,
    }),
  );

/**
 * Reads one group; null where it can't be read whole. The member lists are read strictly, because what is read here may
 * be written back: a list of the wrong type must not become an empty one.
 */
export function decodeReaderGroup(payload: unknown): ReaderGroup | null {
  const parsed = readerGroup.safeParse(payload);
  return parsed.success ? parsed.data : null;
}

export const decodeReaderGroups = (payload: unknown): readonly ReaderGroup[] | null =>
  Array.isArray(payload) ? listOf(readerGroup).parse(payload) : null;
