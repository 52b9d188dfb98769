import { type ArticleUpdateInput, articleBody, groupBody, type UpdateReaderGroupInput } from './requests.ts';
import type { BaseError, BaseNotice, Put, ServiceResponse } from './service.ts';

// The resolvers of both mutations for all peers, written for speed and without validation. The peers share them, so
// that they differ in their servers and HTTP clients only.

export interface BulkArguments {
  readonly input: { readonly articles: readonly ArticleUpdateInput[] };
}

export interface GroupArguments {
  readonly input: UpdateReaderGroupInput;
}

export async function bulkUpdateArticles({ input }: BulkArguments, put: Put) {
  const response = await put('/v2/Articles/bulkupdate', input.articles.map(articleBody));
  const items = response.envelope.data;
  if (!items) return failure(response);
  const updated = items.reduce((count, { success }) => count + (success ? 1 : 0), 0);
  return {
    __typename: 'BulkUpdateArticlesPayload',
    results: items.map((item, index) => ({
      __typename: item.success ? 'ArticleUpdated' : 'ArticleUpdateFailed',
      index,
      articleId: item.article_id ?? input.articles[index]?.articleId,
      details: item.details,
    })),
    summary: { total: items.length, updated, failed: items.length - updated },
    serviceErrors: (response.envelope.errors ?? []).map(serviceError),
    ...noticesOf(response),
  };
}

export async function updateReaderGroup({ input }: GroupArguments, put: Put) {
  const response = await put(`/v2/Readers/groups/${encodeURIComponent(input.groupId)}`, groupBody(input));
  if (response.status !== 200 || !response.envelope.success) return failure(response);
  return { __typename: 'UpdateReaderGroupPayload', serviceResult: response.envelope.result, ...noticesOf(response) };
}

const noticesOf = ({ envelope }: ServiceResponse) => ({
  warnings: (envelope.warnings ?? []).map(notice),
  information: (envelope.information ?? []).map(notice),
  extensionData: envelope.extension_data,
});

const notice = ({ description, warning_code }: BaseNotice) => ({ description, code: warning_code });

const serviceError = ({ description, error_code }: BaseError) => ({ description, errorCode: error_code });

const FAILURES: Readonly<Record<number, { readonly type: string; readonly code: string }>> = {
  401: { type: 'AuthenticationError', code: 'UNAUTHENTICATED' },
  429: { type: 'RateLimitedError', code: 'RATE_LIMITED' },
  400: { type: 'ServiceRejectedError', code: 'REJECTED' },
};

function failure({ status, envelope }: ServiceResponse) {
  const serviceErrors = (envelope.errors ?? []).map(serviceError);
  const isUnknownGroup = serviceErrors.some(({ description }) => description?.includes('does not exist'));
  const { type, code } = FAILURES[status] ?? { type: 'ServiceUnavailableError', code: 'UNAVAILABLE' };
  return {
    __typename: isUnknownGroup ? 'ReaderGroupNotFoundError' : type,
    code: isUnknownGroup ? 'NOT_FOUND' : code,
    message: serviceErrors[0]?.description ?? `The service answered ${status}.`,
    retryable: status === 429,
    mayHaveApplied: status >= 500,
    serviceErrors,
  };
}
