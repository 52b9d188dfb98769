import { err, ok } from '../../core/base/result.ts';
import { outcomeUnknown } from '../../core/errors.ts';
import { createServiceError } from '../../core/notices.ts';
import { encodeArticleVersion } from '../../service/v2/articles.ts';
import { decodeForkBody } from '../../service/v2/forks.ts';
import {
  bodyRejection,
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  pathParam,
  succeedWith,
} from './route-handler.ts';

/** Answers with the new version. */
export async function forkArticle(request: FacadeRequest): EnvelopeResult {
  const { backend, caller, body } = request;
  const forks = decodeForkBody(body, pathParam(request, 'articleId'));
  if (!forks.ok) return err(bodyRejection(forks.error));
  const forked = await backend.forkArticles(caller, forks.value);
  if (!forked.ok) return forked;
  const outcome = onlyResult(forked.value.outcomes);
  if (outcome.kind === 'unknown') return err(outcomeUnknown(outcome.details ?? ''));
  const { draftVersionNumber } = outcome;
  if (draftVersionNumber === undefined) return err(bodyRejection([createServiceError(outcome.details ?? '', '400')]));
  const { articleId, languageCode } = onlyResult(forks.value.items);
  const article = onlyResult(await backend.articles(caller, [{ articleId, languageCode }], 'summary'));
  if (!article.ok) return article;
  const versions = article.value === null ? ok([]) : onlyResult(await backend.articleVersions(caller, [article.value]));
  if (!versions.ok) return versions;
  const draft = versions.value.find(({ versionNumber }) => versionNumber === draftVersionNumber);
  return succeedWith({ data: draft ? encodeArticleVersion(draft) : { version_number: draftVersionNumber } });
}
