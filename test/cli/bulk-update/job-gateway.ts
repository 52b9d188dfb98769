import { readFile } from 'node:fs/promises';
import { buildSchema, graphql } from 'graphql';
import {
  type Behaviour,
  type FaultyService,
  json,
  openFaultyService,
  type Received,
  reset,
} from '../../support/faulty-service.ts';

interface SubmittedItem {
  readonly articleId: string;
  readonly title?: string;
  readonly order?: number;
}

interface SubmittedPart {
  readonly input: {
    readonly articles: readonly SubmittedItem[];
    readonly startIndex: number;
    readonly moreToCome: boolean;
    readonly publish?: boolean;
    readonly userId?: string | null;
    readonly publishMessage?: string | null;
  };
  readonly idempotencyKey: string;
}

interface HeldJob {
  readonly id: string;
  readonly publishes: boolean;
  readonly items: SubmittedItem[];
  state: 'OPEN' | 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'CANCELLED';
}

/** A server with the schema of the gateway, which keeps jobs in memory. Articles that are called `missing…` fail. */
export interface JobGateway {
  readonly url: string;
  readonly service: FaultyService;
  readonly jobs: ReadonlyMap<string, HeldJob>;
  readonly parts: readonly SubmittedPart[];
  /** Answers a request. */
  readonly answer: Behaviour;
  /** Has the effect of a request, and cuts the connection without an answer. */
  readonly loseAnswer: Behaviour;
  /** The operations that were asked for, in their order. */
  operations(): readonly string[];
  /** The state that a job has once all of its parts are there. */
  closedState: HeldJob['state'];
  close(): Promise<void>;
}

export const GATEWAY_TOKEN = 'token-of-the-tests';

const operationOf = ({ body }: Received): string => /(?:query|mutation) (\w+)/u.exec(Object(body).query)?.[1] ?? '';

const isMissing = ({ articleId }: SubmittedItem): boolean => articleId.startsWith('missing');

/** Answers by the schema, so that a document that the gateway would refuse is refused here as well. */
export async function openJobGateway(): Promise<JobGateway> {
  const schema = buildSchema(await readFile('schema.graphql', 'utf8'));
  const service = await openFaultyService();
  const jobs = new Map<string, HeldJob>();
  const parts: SubmittedPart[] = [];
  const execute = ({ body }: Received) => {
    const { query, variables } = Object(body);
    return graphql({ schema, source: query, variableValues: variables, rootValue });
  };
  const gateway: JobGateway = {
    url: `${service.url}/graphql`,
    service,
    jobs,
    parts,
    answer: async (response, request) => {
      if (request.headers['x-api-token'] === GATEWAY_TOKEN) {
        return json(200, await execute(request))(response, request);
      }
      const errors = [{ message: 'A valid API token is required.', extensions: { code: 'UNAUTHENTICATED' } }];
      return json(200, { data: null, errors })(response, request);
    },
    loseAnswer: async (response, request) => {
      await execute(request);
      await reset()(response, request);
    },
    operations: () => service.received.map(operationOf),
    closedState: 'COMPLETED',
    close: () => service.close(),
  };
  const find = (id: string) => [...jobs.values()].find((job) => job.id === id);
  const change = (state: HeldJob['state'], { id }: { readonly id: string }) => {
    const job = find(id);
    if (job) job.state = state;
    return job && { __typename: 'ArticleUpdateJobPayload', job: shownJob(job) };
  };
  const rootValue = {
    articleUpdateJobs: () => ({
      nodes: [...jobs.values()].map(shownJob),
      pageInfo: { hasNextPage: false },
    }),
    articleUpdateJob: ({ id }: { readonly id: string }) => shownJob(find(id)),
    cancelArticleUpdateJob: (args: { readonly id: string }) => change('CANCELLED', args),
    resumeArticleUpdateJob: (args: { readonly id: string }) => change('COMPLETED', args),
    previewPublishArticles: ({ input }: Pick<SubmittedPart, 'input'>) => previewPublication(input.articles),
    previewBulkUpdateArticles: ({ input }: Pick<SubmittedPart, 'input'>) => preview(input.articles, [...jobs.values()]),
    submitArticleUpdateJob: (part: SubmittedPart) => {
      parts.push(part);
      return submit(jobs, part, gateway.closedState);
    },
  };
  service.onAny(gateway.answer);
  return gateway;
}

function submit(jobs: Map<string, HeldJob>, { input, idempotencyKey }: SubmittedPart, closedState: HeldJob['state']) {
  const job = jobs.get(idempotencyKey) ?? {
    id: `job-${jobs.size + 1}`,
    publishes: input.publish ?? false,
    items: [],
    state: 'OPEN' as const,
  };
  jobs.set(idempotencyKey, job);
  const added = input.articles.slice(job.items.length - input.startIndex);
  if (job.state !== 'OPEN' || (added.length === 0 && input.moreToCome)) {
    return { __typename: 'SubmitArticleUpdateJobPayload', job: shownJob(job), replayed: true };
  }
  job.items.push(...added);
  if (!input.moreToCome) job.state = closedState;
  return { __typename: 'SubmitArticleUpdateJobPayload', job: shownJob(job), replayed: false };
}

function shownJob(job: HeldJob | undefined) {
  if (job === undefined) return null;
  const total = job.items.length;
  const isDone = job.state === 'COMPLETED' || job.state === 'CANCELLED';
  const failed = isDone ? job.items.filter(isMissing).length : 0;
  return {
    __typename: 'ArticleUpdateJob',
    id: job.id,
    state: job.state,
    done: isDone,
    waitingFor: null,
    createdAt: '2026-11-22T10:00:00Z',
    estimatedEndAt: null,
    summary: {
      total,
      pending: isDone ? 0 : total,
      updated: isDone ? total - failed : 0,
      failed,
      unknown: 0,
      notAttempted: 0,
    },
    // Pages of one outcome.
    results: ({ after, outcomes }: { readonly after?: string; readonly outcomes: readonly string[] }) => {
      const items = job.items.map((item, index) => ({ ...item, index }));
      const ends = outcomes.includes('UPDATED') ? items : items.filter(isMissing);
      const page = ends.filter(({ index }) => index > Number(after ?? -1));
      const [first] = page;
      return {
        nodes: page.slice(0, 1).map((item) => shownOutcome(job, item)),
        pageInfo: { hasNextPage: page.length > 1, endCursor: `${first?.index ?? ''}` },
      };
    },
  };
}

const isRefused = ({ articleId }: SubmittedItem): boolean => articleId.startsWith('refused');

function shownOutcome(job: HeldJob, item: SubmittedItem & { readonly index: number }) {
  const { articleId, index } = item;
  const common = { index, articleId, retryable: false };
  if (isMissing(item)) return { ...common, __typename: 'ArticleUpdateFailed', details: 'there is no such article.' };
  const publication = isRefused(item) ? 'FAILED' : 'PUBLISHED';
  const details = isRefused(item) ? 'The user does not exist.' : null;
  return { ...common, __typename: 'ArticleUpdated', details, publication: job.publishes ? publication : null };
}

const previewPublication = (articles: readonly SubmittedItem[]) => ({
  __typename: 'PublishArticlesPreview',
  warnings: [],
  results: articles.map((item, index) => ({
    index,
    articleId: item.articleId,
    issues: [
      ...(isMissing(item) ? [{ path: [], message: 'There is no such article.' }] : []),
      ...(isRefused(item) ? [{ path: [], message: 'The user does not exist.' }] : []),
    ],
    changes: [{ field: 'PUBLIC_VERSION_NUMBER', from: null, to: 2 }],
    wouldCreateTranslation: false,
  })),
});

/** What a completed job has set counts, later ones above earlier ones; before, each title is `Old`. */
function preview(articles: readonly SubmittedItem[], jobs: readonly HeldJob[]) {
  const updates = jobs.flatMap(({ state, items }) => (state === 'COMPLETED' ? items : []));
  const changesOf = ({ articleId, ...set }: SubmittedItem) => {
    const stored = {
      title: 'Old',
      order: null,
      ...Object.assign({}, ...updates.filter((one) => one.articleId === articleId)),
    };
    return Object.entries(set).flatMap(([name, to]) =>
      stored[name] === to ? [] : [{ field: name.toUpperCase(), from: stored[name], to }],
    );
  };
  return {
    __typename: 'BulkUpdateArticlesPreview',
    warnings: [],
    results: articles.map((item, index) => ({
      index,
      articleId: item.articleId,
      issues: isMissing(item) ? [{ path: [], message: 'There is no such article.' }] : [],
      changes: isMissing(item) ? [] : changesOf(item),
      wouldCreateTranslation: false,
    })),
  };
}
