import { ok } from '../../../../base/result.ts';
import type { Edition, ProjectVersion } from '../../../../domain/articles/project-versions.ts';
import type { BackendResult } from '../../../backend.ts';
import { defaultOf } from '../project-versions.ts';
import type { RequestCache } from '../request-cache.ts';
import { ArticleSearch, type Findings, type SearchScope } from './article-search.ts';

interface SearchRequest extends Pick<SearchScope, 'requests' | 'maxUnlisted'> {
  readonly versions: readonly ProjectVersion[];
}

/** Finds articles of any languages in the lists of the editions that may have them. */
export async function searchEditions(
  cache: RequestCache,
  findings: Findings,
  { requests, versions, maxUnlisted }: SearchRequest,
): BackendResult<void> {
  for (const [languageCode, group] of Map.groupBy(requests, ({ key }) => key.languageCode)) {
    const scope = { requests: group, maxUnlisted, ...editionsIn(versions, languageCode) };
    const search = await new ArticleSearch(cache, findings, scope).run();
    if (!search.ok) return search;
  }
  return ok(undefined);
}

/**
 * The editions in the language, or each in the default language of its project version, the default project version
 * first. A project version whose languages are not told may have any.
 */
function editionsIn(versions: readonly ProjectVersion[], languageCode: string | undefined) {
  const first = defaultOf(versions);
  const sorted = versions.toSorted((one, other) => Number(other === first) - Number(one === first));
  const editions = sorted.flatMap(({ projectVersionId, languages }): readonly Edition[] => {
    const code = languageCode ?? defaultOf(languages)?.code;
    const hasLanguage = languages.length === 0 || languages.some((language) => isSameCode(language.code, code));
    return code !== undefined && hasLanguage ? [{ projectVersionId, languageCode: code }] : [];
  });
  const areDefaultsKnown = versions.every(({ languages }) => languages.length > 0);
  return { editions, isComplete: versions.length > 0 && (languageCode !== undefined || areDefaultsKnown) };
}

const isSameCode = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase();
