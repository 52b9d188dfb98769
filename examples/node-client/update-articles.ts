import {
  type ArticleUpdateInput,
  type TypedDocumentString,
  UpdateArticlesDocument,
  type UpdateArticlesMutation,
} from './generated/operations.ts';

// API_TOKEN=… npm run example:client -- '[{ "articleId": "…", "title": "…" }]'
const GATEWAY_URL = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000/graphql';
const API_TOKEN = process.env['API_TOKEN'] ?? '';

type Result = NonNullable<UpdateArticlesMutation['bulkUpdateArticles']>;
type Outcome = Extract<Result, { __typename: 'BulkUpdateArticlesPayload' }>['results'][number];

interface GraphQLErrorEntry {
  readonly message: string;
  readonly extensions?: { readonly code: string; readonly mayHaveApplied?: boolean };
}

interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphQLErrorEntry[];
}

/** The type of the result follows from the document, so no cast is needed. */
async function send<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<GraphQLAnswer<Data>> {
  const response = await fetch(GATEWAY_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-token': API_TOKEN },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  return JSON.parse(await response.text());
}

const SEND_AGAIN = 'Sending it again may help.';
const READ_FIRST = 'The write may have applied: read before you write again.';

/**
 * What every error says is read before the switch, and its default uses that: a later release may add members to the
 * union, and this client still says what went wrong and whether to send the same again.
 */
function describeResult(result: Result): string {
  const { message, retryable } = 'message' in result ? result : { message: result.__typename, retryable: false };
  const mayHaveApplied = 'mayHaveApplied' in result && result.mayHaveApplied;
  switch (result.__typename) {
    case 'BulkUpdateArticlesPayload':
      return [
        `${result.summary.updated} of ${result.summary.total} articles were updated.`,
        ...result.results.map(describeOutcome),
      ].join('\n');
    case 'ValidationError':
      return result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
    case 'RateLimitedError':
      return `${message} Try again in ${result.retryAfterSeconds ?? 'some'} seconds.`;
    default:
      return [`${result.__typename}: ${message}`, retryable && SEND_AGAIN, mayHaveApplied && READ_FIRST]
        .filter((part) => part !== false)
        .join(' ');
  }
}

/** An outcome may be of a new type, too; every outcome has an article and may have details. */
function describeOutcome(outcome: Outcome): string {
  const { articleId, details } = outcome;
  switch (outcome.__typename) {
    case 'ArticleUpdated':
      return `${articleId} is now called "${outcome.article?.title ?? 'unknown'}".`;
    case 'ArticleUpdateFailed':
      return `${articleId} was not updated: ${details ?? 'no reason given'}`;
    case 'ArticleUpdateNotAttempted':
      return `${articleId} was not sent${outcome.retryable ? ', and can be sent again' : ''}: ${details ?? 'no reason given'}`;
    default:
      return `${articleId} may have been updated: read it before you try again.`;
  }
}

const articles: ArticleUpdateInput[] = JSON.parse(process.argv[2] ?? '[]');
const { data, errors = [] } = await send(UpdateArticlesDocument, { articles });
if (data?.bulkUpdateArticles) process.stdout.write(`${describeResult(data.bulkUpdateArticles)}\n`);
for (const { message, extensions } of errors) {
  process.stderr.write(`${message}${extensions?.mayHaveApplied ? ` ${READ_FIRST}` : ''}\n`);
}
if (!data?.bulkUpdateArticles) process.exitCode = 1;
