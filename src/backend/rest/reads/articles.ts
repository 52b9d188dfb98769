import type { Article, ArticleKey, ArticleVersion } from '../../../domain/articles/bulk-updates.ts';
import type { ProjectVersion } from '../../../domain/articles/project-versions.ts';
import { ok } from '../../../domain/result.ts';
import { decodeArticle, decodeArticleVersion, type ReadArticle } from '../../../v2/articles.ts';
import { defaultOf, type Edition, type ProjectVersionReads } from './project-versions.ts';
import { decoded, decodedList, nullWhereAbsent } from './read-response.ts';
import { canBeNamed, createMemo, type Found, type ReadSession } from './request-cache.ts';

export interface ArticleReads {
  byKey(session: ReadSession, key: ArticleKey): Found<Article | null>;
  versions(session: ReadSession, article: Article): Found<readonly ArticleVersion[]>;
}

/** No text for display, which must not be written back, and no links that expire (facts, section 1). */
const AS_WRITTEN = { isForDisplay: false, appendSASToken: false } as const;

export function createArticleReads(projectVersions: ProjectVersionReads): ArticleReads {
  const texts = createMemo<ReadArticle | null>();
  const versionLists = createMemo<readonly ArticleVersion[]>();

  const readText = async (session: ReadSession, key: ArticleKey & Pick<Edition, 'languageCode'>) => {
    const { articleId, languageCode, versionNumber } = key;
    if (!canBeNamed(articleId, languageCode)) return ok(null);
    const path = ['Articles', articleId, languageCode];
    return texts(session, JSON.stringify([articleId, languageCode, versionNumber]), async () => {
      const payload =
        versionNumber === undefined
          ? await session.get(path, { ...AS_WRITTEN, isPublished: false })
          : await session.get([...path, 'versions', `${versionNumber}`], AS_WRITTEN);
      const asked = { languageCode, pinned: versionNumber !== undefined };
      return nullWhereAbsent(decoded(payload, (entry) => decodeArticle(entry, asked)));
    });
  };

  /**
   * Which language is its default is known only once the article has said which project version it belongs to, so the
   * default languages are tried: where they are all the same, as nearly everywhere, that is one call.
   */
  const readDefault = async (session: ReadSession, key: ArticleKey): Found<ReadArticle | null> => {
    const versions = await projectVersions.list(session);
    if (!versions.ok) return versions;
    for (const languageCode of defaultLanguages(versions.value)) {
      const found = await readText(session, { ...key, languageCode });
      if (!found.ok) return found;
      if (found.value === null) continue;
      const { projectVersionId } = found.value.article;
      const own = versions.value.find((version) => version.projectVersionId === projectVersionId);
      const ownCode = defaultOf(own?.languages ?? [])?.code ?? languageCode;
      return ownCode === languageCode ? found : readText(session, { ...key, languageCode: ownCode });
    }
    return ok(null);
  };

  return {
    async byKey(session, key) {
      const { languageCode } = key;
      const read = languageCode === undefined ? readDefault(session, key) : readText(session, { ...key, languageCode });
      const found = await read;
      return found.ok ? ok(found.value === null || found.value.isFallBack ? null : found.value.article) : found;
    },
    async versions(session, { articleId, languageCode }) {
      if (!canBeNamed(articleId, languageCode)) return ok([]);
      return versionLists(session, JSON.stringify([articleId, languageCode]), async () => {
        const payload = await session.get(['Articles', articleId, languageCode, 'versions']);
        const read = nullWhereAbsent(await decodedList(payload, decodeArticleVersion));
        return read.ok ? ok((read.value ?? []).filter((version) => version !== null)) : read;
      });
    },
  };
}

/** Each once, that of the default project version first. */
function defaultLanguages(versions: readonly ProjectVersion[]): ReadonlySet<string> {
  const first = defaultOf(versions);
  const sorted = [...(first ? [first] : []), ...versions];
  return new Set(sorted.flatMap(({ languages }) => defaultOf(languages)?.code ?? []));
}
