import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { RenameArticleDocument, type RenameArticleMutation, ShownArticleDocument } from './generated/operations.ts';

// API_TOKEN=… npm run example:apollo -- ARTICLE_ID "The new title"
const GATEWAY_URL = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:4000/graphql';
const API_TOKEN = process.env['API_TOKEN'] ?? '';

type Result = NonNullable<RenameArticleMutation['bulkUpdateArticles']>;

/**
 * With the default cache, the fields of `... on MutationError` would be lost, since it does not know which types are
 * errors. Build tools can import the file `possible-types.json` instead of fetching it.
 */
async function createClient(): Promise<ApolloClient> {
  const response = await fetch(new URL('/possible-types.json', GATEWAY_URL));
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}.`);
  return new ApolloClient({
    link: new HttpLink({ uri: GATEWAY_URL, headers: { 'x-api-token': API_TOKEN } }),
    cache: new InMemoryCache({ possibleTypes: await response.json() }),
  });
}

/** A later release may add errors and outcomes, so that what all of them have is read before what one of them has. */
function describeResult(result: Result): string {
  if ('results' in result) return result.results.map(describeOutcome).join('\n');
  const { message, retryable, mayHaveApplied } = result;
  const advice = [
    retryable && 'Sending it again may help.',
    mayHaveApplied && 'The write may have applied: read before you write again.',
  ];
  return [`${result.__typename}: ${message}`, ...advice].filter((part) => part !== false).join(' ');
}

type Outcome = Extract<Result, { __typename: 'BulkUpdateArticlesPayload' }>['results'][number];

const describeOutcome = ({ __typename, articleId, details }: Outcome): string =>
  __typename === 'ArticleUpdated'
    ? `${articleId} was updated.`
    : `${articleId}: ${details ?? 'no reason given'} (${__typename})`;

function report(error: unknown): void {
  const problems = CombinedGraphQLErrors.is(error) ? error.errors : error instanceof Error ? [error] : [];
  for (const { message } of problems) process.stderr.write(`${message}\n`);
}

const [articleId = '', newTitle = ''] = process.argv.slice(2);
const client = await createClient();

const title = { query: ShownArticleDocument, variables: { articleId } };
const read = await client.query({ ...title, errorPolicy: 'all' });
report(read.error);

// This is what a component of a page does. The cache tells it the new title, without another request.
const shown = client.watchQuery({ ...title, fetchPolicy: 'cache-only' }).subscribe(({ data, dataState }) => {
  if (dataState === 'complete' && data.article) process.stdout.write(`The page shows: ${data.article.title}\n`);
});

// With the policy `all`, the outcomes arrive even when the article can't be read back.
const { data, error } = await client.mutate({
  mutation: RenameArticleDocument,
  variables: { article: { articleId, title: newTitle } },
  errorPolicy: 'all',
});
if (data?.bulkUpdateArticles) process.stdout.write(`${describeResult(data.bulkUpdateArticles)}\n`);
else process.exitCode = 1;
report(error);
shown.unsubscribe();
client.stop();
