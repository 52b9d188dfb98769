import type { CompletedBulkUpdate } from '../../core/articles/article-outcomes.ts';
import { isDistinctive, isOneWord, wordsIn } from '../../core/articles/named-articles.ts';
import { lazily } from '../../core/base/lazily.ts';
import { MAX_NOTICE_CHARS } from '../../core/base/limits.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { type BackendError, type Rejection, rejected } from '../../core/errors.ts';
import { HTML_CONTENT_DEPRECATED, NO_NOTICES, type Notice, type ServiceError } from '../../core/notices.ts';
import type { BulkUpdateRequest } from './batch.ts';

type BulkUpdateResult = Result<CompletedBulkUpdate, BackendError>;

/** The result of a merged call, divided among its requests. */
export interface SplitResult {
  /** In the order of the batch: the outcomes of the request's own items, and the notices about them. */
  readonly results: readonly BulkUpdateResult[];
  /** The number of notices that no caller receives, because they cannot be attributed. */
  readonly withheld: number;
}

export function splitResult(batch: readonly BulkUpdateRequest[], result: BulkUpdateResult): SplitResult {
  const messages: ServiceMessages = { ...NO_NOTICES, ...(result.ok ? result.value : result.error) };
  const recipientsOf = createAttribution(batch);
  const serviceErrors = route(messages.serviceErrors, recipientsOf);
  const warnings = route(messages.warnings, recipientsOf);
  const information = route(messages.information, recipientsOf);
  const messagesFor = (request: BulkUpdateRequest): ServiceMessages => ({
    serviceErrors: serviceErrors.received.get(request) ?? [],
    warnings: warnings.received.get(request) ?? [],
    information: information.received.get(request) ?? [],
  });
  const withheld = serviceErrors.withheld + warnings.withheld + information.withheld;
  if (result.ok) return { results: splitSuccess(batch, result.value, messagesFor), withheld };
  return { results: batch.map(messagesFor).map(errorWithMessages(result.error)), withheld };
}

type ServiceMessages = Pick<Rejection, 'serviceErrors' | 'warnings' | 'information'>;

function splitSuccess(
  batch: readonly BulkUpdateRequest[],
  { outcomes }: CompletedBulkUpdate,
  messagesFor: (request: BulkUpdateRequest) => ServiceMessages,
): readonly BulkUpdateResult[] {
  let end = 0;
  return batch.map((request) => {
    const start = end;
    end += request.updates.length;
    // The extension data cannot be attributed to a request.
    return ok({ outcomes: outcomes.slice(start, end), ...messagesFor(request), extensionData: null });
  });
}

/** Keeps a message of the gateway. One made of the service's texts is made again of the routed ones. */
function errorWithMessages(error: BackendError): (messages: ServiceMessages) => BulkUpdateResult {
  if (error.kind !== 'rejected') return ({ serviceErrors }) => err({ ...error, serviceErrors });
  const { message, ...rejection } = error;
  const gatewayMessage = message === rejected(rejection).message ? {} : { message };
  return (messages) => err({ ...rejected({ ...rejection, ...messages }), ...gatewayMessage });
}

type RecipientsOf = (notice: Notice | ServiceError) => readonly BulkUpdateRequest[];

/** The notices of each request, and the number of those that no caller receives. */
function route<T extends Notice | ServiceError>(notices: readonly T[], recipientsOf: RecipientsOf) {
  const received = new Map<BulkUpdateRequest, T[]>();
  let withheld = 0;
  for (const notice of notices) {
    const recipients = recipientsOf(notice);
    if (recipients.length === 0) withheld += 1;
    for (const recipient of recipients) {
      const notices = received.get(recipient) ?? [];
      notices.push(notice);
      received.set(recipient, notices);
    }
  }
  return { received, withheld };
}

/** UTF-16 code units that are searched per result. Notices beyond them are withheld. */
const MAX_SEARCHED_CHARS = 200_000;

/**
 * Attributes the notices of a merged call to its requests. A notice goes to the only caller whose article it names. One
 * that names articles of several callers, or none, is withheld, because it may quote any caller's items. The notice that
 * the field `html_content` is deprecated goes to the callers that sent the field.
 */
function createAttribution(batch: readonly BulkUpdateRequest[]): RecipientsOf {
  let charsLeft = MAX_SEARCHED_CHARS;
  const sendersOfBatch = lazily(() => sendersOf(batch));
  return (notice) => {
    const text = textOf(notice);
    charsLeft -= Math.min(text.length, MAX_NOTICE_CHARS);
    if (text.length > MAX_NOTICE_CHARS || charsLeft < 0) return [];
    if (text === HTML_DEPRECATION)
      return batch.filter(({ updates }) => updates.some(({ htmlContent }) => htmlContent != null));
    const { byArticleId, hasAmbiguousIds } = sendersOfBatch();
    const namedIds = hasAmbiguousIds ? [] : wordsIn(text).filter((word) => byArticleId.has(word));
    const recipients = new Set(namedIds.flatMap((articleId) => byArticleId.get(articleId) ?? []));
    return recipients.size === 1 && namedIds.some(isDistinctive) ? [...recipients] : [];
  };
}

/** All of a notice but its code, as JSON. The data counts too, because it may name articles. */
const textOf = (notice: Notice | ServiceError): string =>
  JSON.stringify([notice.description, notice.extensionData, 'customData' in notice ? notice.customData : null]);

const HTML_DEPRECATION = textOf(HTML_CONTENT_DEPRECATED);

/** The requests of a merged call, by what a notice can name. */
interface Senders {
  /** Keyed by lower-case ID, because the service may write IDs in another case than they were sent in. */
  readonly byArticleId: ReadonlyMap<string, BulkUpdateRequest>;
  /** True when an ID consists of several words, so that a word of it in a notice proves nothing. */
  readonly hasAmbiguousIds: boolean;
}

function sendersOf(batch: readonly BulkUpdateRequest[]): Senders {
  const byArticleId = new Map<string, BulkUpdateRequest>();
  for (const request of batch)
    for (const { articleId } of request.updates) if (articleId !== '') byArticleId.set(idKeyOf(articleId), request);
  return { byArticleId, hasAmbiguousIds: !byArticleId.keys().every(isOneWord) };
}
