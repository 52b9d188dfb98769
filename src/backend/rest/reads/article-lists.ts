import type { Article } from '../../../domain/articles/bulk-updates.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import { ok } from '../../../domain/result.ts';
import { decodeListedArticle } from '../../../v2/articles.ts';
import type { Call } from '../http/client.ts';
import { isOfLanguage } from './category-trees.ts';
import { allOf, type Entries, type PagedList, pageOf } from './paging.ts';
import type { Edition } from './project-versions.ts';
import { decodedList, nullWhereAbsent } from './read-response.ts';
import { canBeNamed, createMemo, type Found, type ReadSession } from './request-cache.ts';

/** The most that the service gives a page, counted from 0; asked for no pages it answers up to so many at once (facts, 1). */
const PAGE_SIZE = 100;
const MOST_AT_ONCE = 1_000;

const idOf = ({ articleId }: Article) => articleId;

export interface ArticleLists {
  page(session: ReadSession, edition: Edition, request: PageRequest): Found<Page<Article> | null>;
  /** Every article of an edition, by its ID. */
  whole(session: ReadSession, edition: Edition): Found<ReadonlyMap<string, Article>>;
}

export function createArticleLists(): ArticleLists {
  const pages = createMemo<Entries<Article>>();
  const wholes = createMemo<ReadonlyMap<string, Article>>();

  const read = async (session: ReadSession, edition: Edition, query: Call['query']): Found<Entries<Article>> => {
    const { projectVersionId, languageCode } = edition;
    const path = ['ProjectVersions', projectVersionId, 'articles'];
    const payload = await session.get(path, { langCode: languageCode, ...query });
    return decodedList(payload, (entry) => shown(decodeListedArticle(entry, edition), edition));
  };

  const listed = (session: ReadSession, edition: Edition): PagedList<Article> => ({
    pageSize: PAGE_SIZE,
    readPage: (page) =>
      pages(session, keyOf(edition, page), () => read(session, edition, { page, hitsPerPage: PAGE_SIZE })),
    idOf,
  });

  const readWhole = async (session: ReadSession, edition: Edition): Found<ReadonlyMap<string, Article>> => {
    const start = await read(session, edition, {});
    if (!start.ok) return start;
    const { readPage, ...list } = listed(session, edition);
    const isCut = start.value.length === MOST_AT_ONCE;
    const later = (index: number) => readPage(index + MOST_AT_ONCE / PAGE_SIZE);
    const rest = isCut ? await allOf({ ...list, readPage: later }) : ok([]);
    if (!rest.ok) return rest;
    return ok(
      new Map([...start.value, ...rest.value].flatMap((article) => (article ? [[idOf(article), article]] : []))),
    );
  };

  return {
    async page(session, edition, request) {
      if (!canBeNamed(edition.projectVersionId, edition.languageCode)) return ok(null);
      return nullWhereAbsent(await pageOf(listed(session, edition), request));
    },
    async whole(session, edition) {
      if (!canBeNamed(edition.projectVersionId, edition.languageCode)) return ok(new Map());
      return wholes(session, keyOf(edition), async () => {
        const found = nullWhereAbsent(await readWhole(session, edition));
        return found.ok ? ok(found.value ?? new Map()) : found;
      });
    },
  };
}

const keyOf = ({ projectVersionId, languageCode }: Edition, page?: number) =>
  JSON.stringify([projectVersionId, languageCode, page]);

const shown = (article: Article | null, edition: Edition) =>
  article !== null && isOfLanguage(article, edition) ? article : null;
