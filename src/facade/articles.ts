import type { Article } from '../domain/articles/bulk-updates.ts';
import type { BackendError } from '../domain/errors.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { encodeArticle, encodeArticleVersion, encodeListedArticle } from '../v2/articles.ts';
import { decodeBulkUpdate, encodeOutcomes } from '../v2/bulk-updates.ts';
import { INT32_MAX, numberOf, textOf, wholeNumber } from './query-params.ts';
import { answered, type Call, type Handled, only, param, refused, refusedBody } from './route-handler.ts';

export async function bulkUpdateArticles({ backend, caller, body, maxBulkItems }: Call): Handled {
  if (Array.isArray(body) && body.length > maxBulkItems) {
    return err(refused(400, `$: at most ${maxBulkItems} items can be updated at once; these are ${body.length}.`));
  }
  const updates = decodeBulkUpdate(body);
  if (!updates.ok) return err(refusedBody(updates.error));
  const updated = await backend.bulkUpdateArticles(caller, updates.value);
  if (!updated.ok) return updated;
  const { outcomes, serviceErrors, ...notices } = updated.value;
  return ok({ ...notices, payload: { data: encodeOutcomes(outcomes) }, success: true, errors: serviceErrors });
}

/** A language without a translation is answered with the default language, and says so (facts, section 1). */
export async function readArticle(call: Call): Handled {
  const asked = await articleIn(call, call.params.get('langCode'));
  if (!asked.ok) return asked;
  if (asked.value) return answered({ data: encodeArticle({ article: asked.value, isFallBack: false }) });
  const byDefault = await articleIn(call, undefined);
  if (!byDefault.ok) return byDefault;
  if (byDefault.value === null) return err(unknownArticle());
  return answered({ data: encodeArticle({ article: byDefault.value, isFallBack: true }) });
}

/** Not found is 400 everywhere in this service (facts, 3c). */
const unknownArticle = () => refused(400, 'The article Id does not exist.');

async function articleIn(
  call: Call,
  languageCode: string | undefined,
  versionNumber?: number,
): Promise<Result<Article | null, BackendError>> {
  const key = { articleId: param(call, 'articleId'), languageCode, versionNumber };
  return only(await call.backend.articles(call.caller, [key]));
}

export async function readArticleVersion(call: Call): Handled {
  const versionNumber = wholeNumber(param(call, 'versionNumber'), { least: 1, most: INT32_MAX });
  if (versionNumber === null) return err(refused(400, 'versionNumber must be a whole number of 1 or more.'));
  const article = await articleIn(call, call.params.get('langCode'), versionNumber);
  if (!article.ok) return article;
  if (article.value === null) return err(refused(400, 'The article version does not exist.'));
  return answered({ data: encodeArticle({ article: article.value, isFallBack: false }) });
}

export async function listArticleVersions(call: Call): Handled {
  const article = await articleIn(call, call.params.get('langCode'));
  if (!article.ok) return article;
  if (article.value === null) return err(unknownArticle());
  const versions = only(await call.backend.articleVersions(call.caller, [article.value]));
  return versions.ok ? answered({ data: versions.value.map(encodeArticleVersion) }) : versions;
}

/** What `hitsPerPage` may ask for, and what 0, its default, comes to: "all", capped (facts, section 1). */
const MOST_HITS = 100;
const ALL_HITS = 1000;

export async function listArticles(call: Call): Handled {
  const { backend, caller, query } = call;
  const page = numberOf(query, 'page', { least: 0, most: INT32_MAX, absent: 0 });
  if (!page.ok) return page;
  const hits = numberOf(query, 'hitsPerPage', { least: 0, most: MOST_HITS, absent: 0 });
  if (!hits.ok) return hits;
  const limit = hits.value || ALL_HITS;
  const filter = { projectVersionId: param(call, 'projectVersionId'), languageCode: textOf(query, 'langCode') };
  const articles = await backend.listArticles(caller, filter, { limit, skip: page.value * limit });
  if (!articles.ok) return articles;
  if (articles.value === null) return err(refused(400, 'The project version Id or the language code does not exist.'));
  return answered({ data: articles.value.edges.map(({ node }) => encodeListedArticle(node)) });
}
