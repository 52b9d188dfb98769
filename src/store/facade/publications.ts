import { failedPublicationText, PUBLICATION_KINDS, type PublicationWrite } from '../../core/articles/publications.ts';
import { isObject } from '../../core/base/json.ts';
import { err, ok } from '../../core/base/result.ts';
import { outcomeUnknown } from '../../core/errors.ts';
import { createServiceError } from '../../core/notices.ts';
import { encodeOutcomes } from '../../service/v2/bulk-updates.ts';
import { decodePublishing, decodeUnpublishing } from '../../service/v2/publications.ts';
import { answerWithArticle } from './articles.ts';
import {
  bodyRejection,
  type EnvelopeResult,
  type FacadeRequest,
  onlyResult,
  pathParam,
  rejection,
} from './route-handler.ts';

const DECODERS = { publishArticles: decodePublishing, unpublishArticles: decodeUnpublishing } as const;

/**
 * Applies all items that can be applied. If one fails, or is in the requested state already, the answer is an error
 * that names the first such item: see docs/contract.md, "Store publishing".
 */
const publicationHandler =
  (write: PublicationWrite) =>
  async (request: FacadeRequest): EnvelopeResult => {
    const { backend, caller, body, maxBulkItems } = request;
    const publications = DECODERS[write](body, pathParam(request, 'langCode'));
    if (!publications.ok) return err(bodyRejection(publications.error));
    const { length } = publications.value.items;
    if (length > maxBulkItems)
      return err(rejection(400, `At most ${maxBulkItems} items can be sent at once; these are ${length}.`));
    const written = await backend[write](caller, publications.value);
    if (!written.ok) return written;
    const { outcomes, serviceErrors, ...notices } = written.value;
    const unknown = outcomes.find(({ kind }) => kind === 'unknown');
    if (unknown) return err(outcomeUnknown(unknown.details ?? ''));
    const refused = outcomes.find((outcome) => outcome.kind !== 'updated' || outcome.evidence === 'READ_BACK');
    if (refused)
      return err(
        rejection(
          400,
          refused.kind === 'updated'
            ? failedPublicationText(write, refused.articleId, PUBLICATION_KINDS[write].doneText)
            : (refused.details ?? ''),
        ),
      );
    return ok({ ...notices, payload: { data: encodeOutcomes(outcomes) }, success: true, errors: serviceErrors });
  };

export const publishArticles = publicationHandler('publishArticles');
export const unpublishArticles = publicationHandler('unpublishArticles');

/** Publishes a version of one article, by its path. Its errors have the cause alone. */
export async function publishArticle(request: FacadeRequest): EnvelopeResult {
  const { backend, caller, body, params } = request;
  const articleId = pathParam(request, 'articleId');
  const found = onlyResult(
    await backend.articles(caller, [{ articleId, languageCode: params.get('langCode') }], 'summary'),
  );
  if (!found.ok) return found;
  if (found.value === null) return err(rejection(400, 'The article Id does not exist.'));
  const { languageCode } = found.value;
  const item = isObject(body) ? [{ ...body, article_id: articleId }] : body;
  const published = await publishArticles({ ...request, params: new Map([['langCode', languageCode]]), body: item });
  if (published.ok) return answerWithArticle(request, { articleId, languageCode });
  const { error } = published;
  if (error.kind !== 'rejected' || error.httpStatus !== 400) return published;
  const causes = error.serviceErrors.map(({ description }) => description?.split('\r\nError: ').at(-1) ?? '');
  return err(bodyRejection(causes.map((cause) => createServiceError(cause))));
}
