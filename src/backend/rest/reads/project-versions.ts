import { ok } from '../../../base/result.ts';
import type { Edition, ProjectVersion } from '../../../domain/articles/articles.ts';
import { decodeProjectVersion } from '../../../v2/project-versions.ts';
import type { BackendResult } from '../../backend.ts';
import { decodePayloadList, notOfferedIf404 } from '../calls/read-response.ts';
import type { RequestCache } from './request-cache.ts';

export async function listProjectVersions(cache: RequestCache): BackendResult<readonly ProjectVersion[]> {
  return cache.decoded.projectVersions.of(await cache.get(['ProjectVersions']), async (payload) => {
    const versions = await decodePayloadList(notOfferedIf404(payload), decodeProjectVersion, cache);
    return versions.ok ? ok(versions.value.filter((version) => version !== null)) : versions;
  });
}

/** An edition of which the defaults may be left out. */
export type RequestedEdition = Partial<Record<keyof Edition, string | undefined>>;

/** Fills in the defaults, without a call where nothing is left out; null where the edition does not exist. */
export async function editionOf(
  cache: RequestCache,
  { projectVersionId, languageCode }: RequestedEdition,
): BackendResult<Edition | null> {
  if (projectVersionId !== undefined && languageCode !== undefined) return ok({ projectVersionId, languageCode });
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  const version =
    projectVersionId === undefined
      ? defaultOf(versions.value)
      : versions.value.find((one) => one.projectVersionId === projectVersionId);
  const language = languageCode ?? defaultOf(version?.languages ?? [])?.code;
  if (version === undefined || language === undefined) return ok(null);
  return ok({ projectVersionId: version.projectVersionId, languageCode: language });
}

/** The first item where the service marks none as the default. */
export const defaultOf = <T extends { readonly isDefault: boolean }>(items: readonly T[]): T | undefined =>
  items.find(({ isDefault }) => isDefault) ?? items[0];
