import { MAX_NOTICE_CHARS } from '../../base/limits.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { type BackendError, type Rejection, rejected } from '../../domain/errors.ts';
import { HTML_CONTENT_DEPRECATED, NO_NOTICES, type Notice, type ServiceError } from '../../domain/notices.ts';
import type { BulkUpdateRequest } from './batch.ts';

type BulkUpdateResult = Result<CompletedBulkUpdate, BackendError>;

/** The result of a merged call, divided among its requests. */
export interface SplitResult {
  /** In the order of the batch: the outcomes of the request's own items, and the notices about them. */
  readonly results: readonly BulkUpdateResult[];
  /** The number of notices that no caller receives. */
  readonly withheld: Readonly<Record<keyof ServiceMessages, number>>;
}

export function splitResult(batch: readonly BulkUpdateRequest[], result: BulkUpdateResult): SplitResult {
  const messages: ServiceMessages = { ...NO_NOTICES, ...(result.ok ? result.value : result.error) };
  const router = new NoticeRouter(batch);
  const serviceErrors = router.route(messages.serviceErrors);
  const warnings = router.route(messages.warnings);
  const information = router.route(messages.information);
  const messagesFor = (request: BulkUpdateRequest): ServiceMessages => ({
    serviceErrors: serviceErrors.byRequest.get(request) ?? [],
    warnings: warnings.byRequest.get(request) ?? [],
    information: information.byRequest.get(request) ?? [],
  });
  return {
    results: result.ok
      ? splitSuccess(batch, result.value, messagesFor)
      : batch.map(messagesFor).map(errorWithMessages(result.error)),
    withheld: {
      serviceErrors: serviceErrors.withheld,
      warnings: warnings.withheld,
      information: information.withheld,
    },
  };
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

/**
 * Attributes the notices of a merged call to its requests. A notice goes to the only caller whose article it names. One
 * that names articles of several callers, or none, is withheld, because it may quote any caller's items. A notice about
 * the field `html_content` goes to the callers that sent the field.
 */
class NoticeRouter {
  readonly #batch: readonly BulkUpdateRequest[];
  #senders: Senders | null = null;
  #charsLeft = MAX_SEARCHED_CHARS;

  constructor(batch: readonly BulkUpdateRequest[]) {
    this.#batch = batch;
  }

  /** `withheld` is the number of notices that no caller receives, because they cannot be attributed. */
  route<T extends Notice | ServiceError>(notices: readonly T[]) {
    const byRequest = new Map<BulkUpdateRequest, T[]>();
    let withheld = 0;
    for (const notice of notices) {
      this.#senders ??= sendersOf(this.#batch);
      const recipients = recipientsOf(notice, this.#searchedTexts(notice), this.#senders);
      if (recipients.length === 0) withheld += 1;
      for (const recipient of recipients) {
        const received = byRequest.get(recipient);
        if (received) received.push(notice);
        else byRequest.set(recipient, [notice]);
      }
    }
    return { byRequest, withheld };
  }

  #searchedTexts(notice: Notice | ServiceError): readonly string[] | null {
    if (this.#charsLeft <= 0) return null;
    const texts = textsOf(notice);
    this.#charsLeft -= MIN_CHARS_PER_NOTICE + (texts?.join('').length ?? MAX_NOTICE_CHARS);
    return texts;
  }
}

/** UTF-16 code units that are searched per result, and the least that each notice counts for. The rest is withheld. */
const [MAX_SEARCHED_CHARS, MIN_CHARS_PER_NOTICE] = [200_000, 20];

/** The requests of a merged call, by what a notice can name. */
interface Senders {
  /** Keyed by lower-case ID, because the service may write IDs in another case than they were sent in. */
  readonly byArticleId: ReadonlyMap<string, BulkUpdateRequest>;
  /** True when an ID consists of several words, so that a word of it in a notice proves nothing. */
  readonly hasAmbiguousIds: boolean;
  readonly htmlSenders: readonly BulkUpdateRequest[];
}

function sendersOf(batch: readonly BulkUpdateRequest[]): Senders {
  const byArticleId = new Map<string, BulkUpdateRequest>();
  for (const request of batch)
    for (const { articleId } of request.updates)
      if (articleId !== '') byArticleId.set(articleId.toLowerCase(), request);
  const isOneWord = (articleId: string) => wordsIn(articleId)[0] === articleId;
  return {
    byArticleId,
    hasAmbiguousIds: !byArticleId.keys().every(isOneWord),
    htmlSenders: batch.filter(({ updates }) => updates.some(({ htmlContent }) => htmlContent != null)),
  };
}

function recipientsOf(
  notice: Notice | ServiceError,
  texts: readonly string[] | null,
  { byArticleId, hasAmbiguousIds, htmlSenders }: Senders,
): readonly BulkUpdateRequest[] {
  if (texts === null) return [];
  if (texts.length === 1 && texts[0] === HTML_CONTENT_DEPRECATED.description) return htmlSenders;
  if (hasAmbiguousIds) return [];
  const namedIds = texts.flatMap(wordsIn).filter((word) => byArticleId.has(word));
  const recipients = new Set(namedIds.flatMap((articleId) => byArticleId.get(articleId) ?? []));
  if (recipients.size === 1) return namedIds.some(isDistinctive) ? [...recipients] : [];
  return recipients.size === 0 && htmlSenders.length === 1 && isAboutHtml(notice) ? htmlSenders : [];
}

/** An ID without a letter or a digit may occur in a notice by chance, and callers choose the IDs that they send. */
const isDistinctive = (articleId: string): boolean => /\p{L}/u.test(articleId) && /\d/u.test(articleId);

const isAboutHtml = ({ description }: Notice | ServiceError): boolean =>
  description !== null && /deprecat/iu.test(description) && wordsIn(description).includes('html_content');

/** All texts of a notice except its code. The data counts too, because it may name articles. Null above the limit. */
function textsOf(notice: Notice | ServiceError): readonly string[] | null {
  const texts: string[] = [];
  const unvisited: unknown[] = [
    notice.description,
    notice.extensionData,
    'customData' in notice ? notice.customData : null,
  ];
  let charsLeft = MAX_NOTICE_CHARS;
  while (unvisited.length > 0) {
    const value = unvisited.pop();
    const parts = partsOf(value);
    const text = parts === null ? String(value ?? '') : '';
    charsLeft -= parts?.length ?? text.length;
    if (charsLeft < 0) return null;
    if (text !== '') texts.push(text);
    unvisited.push(...(parts ?? []));
  }
  return texts;
}

/** The items of an array, or the names and values of an object; null for anything else. */
function partsOf(value: unknown): readonly unknown[] | null {
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? value : Object.entries(value).flat();
}

/** Separators of words. Punctuation inside a word is part of it: `a1-b`, `a1/b` and `a1.b` do not name `a1`. */
const WORD_SEPARATORS = /[\s"'`“”‘’«»()[\]{}<>,;=*]+/u;

const END_PUNCTUATION: ReadonlySet<string | undefined> = new Set(['.', ':', '!', '?', '…']);

/** The words of a text in lower case, without punctuation at either end. */
const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(WORD_SEPARATORS)
    .map(trimPunctuation)
    .filter((word) => word !== '');

function trimPunctuation(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && END_PUNCTUATION.has(word[start])) start += 1;
  while (start < end && END_PUNCTUATION.has(word[end - 1])) end -= 1;
  return word.slice(start, end);
}
