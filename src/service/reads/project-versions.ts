import { defaultOf, type ProjectVersion, type VersionLanguage } from '../../core/articles/articles.ts';
import type { BackendResult } from '../../core/backend.ts';
import { err, mapOk, ok } from '../../core/base/result.ts';
import { isSameId } from '../../core/base/text.ts';
import { unavailable } from '../../core/errors.ts';
import { decodePayloadList, notOfferedIf404, refuseUnconfirmedEmptyList } from '../calls/read-response.ts';
import { decodeProjectVersion } from '../v2/project-versions.ts';
import type { RequestCache } from './request-cache.ts';

export async function listProjectVersions(cache: RequestCache): BackendResult<readonly ProjectVersion[]> {
  if (cache.projectVersions !== undefined) return cache.projectVersions();
  return cache.decoded.projectVersions.of(await cache.get(['ProjectVersions']), async (payload) => {
    const versions = await decodePayloadList(
      refuseUnconfirmedEmptyList(notOfferedIf404(payload)),
      decodeProjectVersion,
      cache,
    );
    return mapOk(versions, (found) => found.filter((version) => version !== null));
  });
}

/** The service answers, but nothing can be looked for, which does not show that it is missing. */
const NO_LANGUAGE = err(unavailable('The service shows no project version with a default language.'));

/** The default languages of all project versions, the default version first. Fails where there is none. */
export async function readDefaultLanguages(cache: RequestCache): BackendResult<readonly VersionLanguage[]> {
  const versions = await listProjectVersions(cache);
  const found = mapOk(versions, (all) => versionLanguagesIn(all, undefined));
  return found.ok && found.value.length === 0 ? NO_LANGUAGE : found;
}

/** A version and language, of which the defaults may be left out. */
export type RequestedVersionLanguage = Partial<Record<keyof VersionLanguage, string | undefined>>;

/** Fills in the defaults, without a call where nothing is left out; null where the version does not exist. */
export async function versionLanguageOf(
  cache: RequestCache,
  { projectVersionId, languageCode }: RequestedVersionLanguage,
): BackendResult<VersionLanguage | null> {
  if (projectVersionId !== undefined && languageCode !== undefined) return ok({ projectVersionId, languageCode });
  const versions = await listProjectVersions(cache);
  if (!versions.ok) return versions;
  const version =
    projectVersionId === undefined
      ? defaultOf(versions.value)
      : versions.value.find((one) => isSameId(one.projectVersionId, projectVersionId));
  const language = languageCode ?? defaultOf(version?.languages ?? [])?.code;
  if (version === undefined) return ok(null);
  if (language === undefined) return NO_LANGUAGE;
  return ok({ projectVersionId: version.projectVersionId, languageCode: language });
}

/**
 * The versions in the language, or each version in its default language, the default version first. A version with
 * unknown languages may have any.
 */
export function versionLanguagesIn(
  versions: readonly ProjectVersion[],
  languageCode: string | undefined,
): readonly VersionLanguage[] {
  const first = defaultOf(versions);
  const sorted = versions.toSorted((one, other) => Number(other === first) - Number(one === first));
  return sorted.flatMap(({ projectVersionId, languages }): readonly VersionLanguage[] => {
    const code = languageCode ?? defaultOf(languages)?.code;
    const hasLanguage = languages.length === 0 || languages.some((language) => isSameId(language.code, code));
    return code !== undefined && hasLanguage ? [{ projectVersionId, languageCode: code }] : [];
  });
}
