import { z } from 'zod';
import type { ArticleForks, ForkTarget } from '../../core/articles/forks.ts';
import { isObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { createServiceError, type ServiceError } from '../../core/notices.ts';
import { lenientInteger } from './fields.ts';
import { decodeBody, storableId } from './request-bodies.ts';

/** Encodes the request to copy a version as a new draft. */
export const encodeFork = ({ versionNumber, languageCode }: ForkTarget, { userId }: Pick<ArticleForks, 'userId'>) => ({
  version_number: versionNumber,
  user_id: userId,
  lang_code: languageCode,
});

/** The number of the new draft; null where the payload does not tell it. */
export function decodeForkedVersion(payload: unknown, { versionNumber }: ForkTarget): number | null {
  const draft = isObject(payload) ? lenientInteger(payload['version_number']) : null;
  return draft === null || draft < 1 || draft === versionNumber ? null : draft;
}

const id = storableId.nullish();
const forkBody = z.object({ version_number: z.int32().nullish(), user_id: id, lang_code: id });

/** Decodes the body. The error has every finding, in the words of the service. */
export function decodeForkBody(body: unknown, articleId: string): Result<ArticleForks, readonly ServiceError[]> {
  const members = decodeBody(forkBody, body ?? {});
  if (!members.ok) return members;
  const { version_number: versionNumber, user_id: userId, lang_code: languageCode } = members.value;
  const findings = [
    ...(userId ? [] : ['The UserId field is required.']),
    ...(languageCode ? [] : ['The LangCode field is required.']),
    ...(versionNumber == null ? ['The VersionNumber field is required.'] : []),
  ];
  return userId && languageCode && versionNumber != null
    ? ok({ items: [{ articleId, languageCode, versionNumber }], userId })
    : err(findings.map((finding) => createServiceError(finding, '400')));
}
