import {
  type ArticleUpdateInput,
  type TypedDocumentString,
  UpdateArticlesDocument,
  type UpdateArticlesMutation,
} from './generated/operations.ts';

// API_TOKEN=… node examples/node-client/update-articles.ts '[{ "articleId": "…", "title": "…" }]'
const GATEWAY_URL = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000/graphql';
const API_TOKEN = process.env['API_TOKEN'] ?? '';

type Result = NonNullable<UpdateArticlesMutation['bulkUpdateArticles']>;
type Outcome = Extract<Result, { __typename: 'BulkUpdateArticlesPayload' }>['results'][number];

interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** The type of the result follows from the document, so no cast is needed. */
async function send<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<GraphQLAnswer<Data>> {
  const response = await fetch(GATEWAY_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: API_TOKEN },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  return JSON.parse(await response.text());
}

/** Every member of the union has its case: a new member in the schema does not compile here. */
function describeResult(result: Result): string {
  switch (result.__typename) {
    case 'BulkUpdateArticlesPayload':
      return [
        `${result.summary.updated} of ${result.summary.total} articles were updated.`,
        ...result.results.map(describeOutcome),
      ].join('\n');
    case 'ValidationError':
      return result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
    case 'RateLimitedError':
      return `${result.message} Try again in ${result.retryAfterSeconds ?? 'some'} seconds.`;
    case 'AuthenticationError':
    case 'ServiceRejectedError':
    case 'ServiceUnavailableError':
    case 'TooCostlyError':
      return `${result.code}: ${result.message}${result.retryable ? ' Sending it again may help.' : ''}`;
  }
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return `${outcome.articleId} is now called "${outcome.article?.title ?? 'unknown'}".`;
    case 'ArticleUpdateFailed':
      return `${outcome.articleId} was not updated: ${outcome.details ?? 'no reason given'}`;
    case 'ArticleUpdateUnknown':
      return `${outcome.articleId} may have been updated: read it before you try again.`;
    case 'ArticleUpdateNotAttempted':
      return `${outcome.articleId} was not sent${outcome.retryable ? ', and can be sent again' : ''}: ${outcome.details ?? 'no reason given'}`;
  }
}

const articles: ArticleUpdateInput[] = JSON.parse(process.argv[2] ?? '[]');
const { data, errors = [] } = await send(UpdateArticlesDocument, { articles });
if (data?.bulkUpdateArticles) process.stdout.write(`${describeResult(data.bulkUpdateArticles)}\n`);
for (const { message } of errors) process.stderr.write(`${message}\n`);
if (!data?.bulkUpdateArticles) process.exitCode = 1;
