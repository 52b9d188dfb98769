import { z } from 'zod';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import type { NewArticle } from './article-files.ts';
import type { FolderState } from './folder-state.ts';
import { type GatewayAnswer, type GatewayClient, MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';
import type { UpdateOptions } from './options.ts';
import type { JobProgress } from './progress.ts';

const outcomeShape = z.object({
  __typename: z.string(),
  details: z.string().nullable(),
  articleId: z.string().optional(),
  reason: z.string().optional(),
  candidates: z.array(z.object({ articleId: z.string() })).optional(),
});

type CreationOutcome = z.infer<typeof outcomeShape>;

const CREATE = operation(
  `mutation BulkUpdateCreate($input: CreateArticlesInput!, $key: String!) {
  result: createArticles(input: $input, idempotencyKey: $key) {
    ... on CreateArticlesPayload {
      replayed
      results {
        __typename
        details
        ... on ArticleCreated { articleId }
        ... on ArticleCreateUnknown { candidates { articleId } }
        ... on ArticleCreateNotAttempted { reason }
      }
    }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  z.object({ result: z.object({ replayed: z.boolean(), results: z.tuple([outcomeShape]) }) }),
);

/** Earlier requests for the same file that are known to have created nothing. */
const MAX_EARLIER = 100;

interface CreationRun {
  readonly options: UpdateOptions;
  readonly client: GatewayClient;
  readonly progress: JobProgress;
  readonly userId: string;
  readonly state: FolderState;
}

/**
 * Creates the articles one by one, and writes the ID of each into its file at once. Where a run was killed before it
 * wrote an ID, the next one sends the same idempotency key, which follows from the path and the content of the file,
 * and gets the ID. The result is a map of IDs by path; a file whose article was not created, or may not have been, is
 * printed.
 */
export async function createFromFiles(
  run: CreationRun,
  articles: readonly NewArticle[],
): Promise<Result<ReadonlyMap<string, string>, string>> {
  const { options, client, progress, state } = run;
  const ids = new Map<string, string>();
  try {
    for (const [index, article] of articles.entries()) {
      progress.created(index, articles.length);
      const created = await createOne(run, article);
      progress.stop();
      if (!created.ok) return err(`${article.place}: ${created.error}\nCome back with: ${options.resumeCommand}`);
      if (created.value !== null) ids.set(article.place, created.value);
    }
    return ok(ids);
  } catch (error) {
    if (!client.signal.aborted) throw error;
    return err(`stopped while articles were created.\nCome back with: ${options.resumeCommand}`);
  } finally {
    progress.stop();
    state.close();
  }
}

/** The ID of the article; null where it was not created, or may not have been. An error ends the run. */
async function createOne(
  run: CreationRun,
  { place, json, key, holder }: NewArticle,
): Promise<Result<string | null, string>> {
  const { state } = run;
  const similar = holder === null ? [] : [holder];
  const input = `{"userId":${JSON.stringify(run.userId)},"articles":[${json}]}`;
  if (state.isLost(place, key)) return ok(reportUnknown(place, EARLIER, similar));
  const begun = state.begin(place, key);
  if (!begun.ok) return err(`it ${begun.error}, so no ID can be written into it.`);
  const answer = await sendUntilAnswered(run.client, input, key);
  if (!answer.ok) {
    if (answer.error.isUnapplied) state.end(place);
    return err(answer.error.message);
  }
  const { __typename: type, details, articleId, reason = type, candidates = [] } = answer.value;
  if (articleId !== undefined) {
    const written = state.writeId(place, articleId);
    if (!written.ok) return err(`its article is ${toPrintable(articleId)}, but the file ${written.error}`);
    state.end(place);
    print(`${place}: created as ${articleId}\n`);
    return ok(articleId);
  }
  if (!CREATED_NOTHING.has(type))
    return ok(reportUnknown(place, details ?? type, [...candidates.map((one) => one.articleId), ...similar]));
  state.end(place);
  print(`${place}: not created: ${details ?? reason}\n`);
  return ok(null);
}

const CREATED_NOTHING: ReadonlySet<string> = new Set(['ArticleCreateFailed', 'ArticleCreateNotAttempted']);

export const EARLIER = 'An earlier run sent it, and its answer is lost.';

function reportUnknown(place: string, reason: string, ids: readonly string[]): null {
  const found = ids.length === 0 ? 'No article like it was found.' : `It may be ${[...new Set(ids)].join(', ')}.`;
  print(`${place}: may have been created, and is not created again: ${reason} ${found} ${ADVICE}\n`);
  return null;
}

const ADVICE = 'Write its articleId into the file, or rename the file to create it as another one.';

/** Sends the request with another key where an earlier run has got an outcome for this one that created nothing. */
async function sendUntilAnswered(
  client: GatewayClient,
  input: string,
  key: string,
): Promise<GatewayAnswer<CreationOutcome>> {
  for (let earlier = 0; ; earlier += 1) {
    const variables = `{"key":"${earlier === 0 ? key : `${key}-${earlier}`}","input":${input}}`;
    const { answer } = await client.repeat(CREATE, variables);
    if (!answer.ok) return answer;
    const { replayed, results } = answer.value.result;
    const [outcome] = results;
    if (!replayed || !CREATED_NOTHING.has(outcome.__typename) || earlier === MAX_EARLIER) return ok(outcome);
  }
}
