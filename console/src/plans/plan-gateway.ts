import { err, ok, type Result } from '../../../src/core/base/result.ts';
import { type PlanFailure, type PlanGateway, TOO_LARGE_CODES } from '../../../src/core/plans/plan-gateway.ts';
import type { Answer, Api, Payloads } from '../api.ts';
import {
  CreateArticlesDocument,
  type CreateArticlesInput,
  PlanArticlesDocument,
  PlanChildCategoriesDocument,
  PlanCreateCategoriesDocument,
  PlanHasTextDocument,
  PlanRootCategoriesDocument,
  PlanTextsDocument,
  PlanUpdateDocument,
  ProjectVersionsDocument,
  PublishArticlesDocument,
  type TypedDocumentString,
  UnpublishArticlesDocument,
} from '../generated/graphql.ts';

/** The failures after which the same request may succeed; null is that of a connection. */
const PASSING: ReadonlySet<string | null> = new Set([null, 'RATE_LIMITED', 'UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS']);

/** The pause before a request is sent again, and the longest that it is. */
const PAUSE_MS = 2_000;
const MAX_REPEAT_MS = 180_000;

interface GatewayOptions {
  /** Called before each request. What it throws ends the run. */
  readonly onRequest?: () => void;
  /** Called with the reason why a request is sent again. */
  readonly onWait?: (reason: string) => void;
}

/** The operations of plans. Each is sent again while it fails by the connection or by a temporary error. */
export function createPlanGateway(api: Api, options: GatewayOptions = {}): PlanGateway {
  const ask =
    <Data, Variables>(document: TypedDocumentString<Data, Variables>) =>
    (variables: Variables) =>
      repeat(() => {
        options.onRequest?.();
        return api.send(document, variables);
      }, options);
  return {
    versions: ask(ProjectVersionsDocument),
    rootCategories: ask(PlanRootCategoriesDocument),
    childCategories: ask(PlanChildCategoriesDocument),
    articles: ask(PlanArticlesDocument),
    texts: ask(PlanTextsDocument),
    article: ask(PlanHasTextDocument),
    createCategories: ask(PlanCreateCategoriesDocument),
    createArticles: ({ input, key }: { readonly input: CreateArticlesInput; readonly key: string }) =>
      ask(CreateArticlesDocument)({ input, idempotencyKey: key }),
    update: ask(PlanUpdateDocument),
    publish: ask(PublishArticlesDocument),
    unpublish: ask(UnpublishArticlesDocument),
  };
}

async function repeat<Data>(
  send: () => Promise<Answer<Data>>,
  { onWait }: GatewayOptions,
): Promise<Result<Payloads<Data>, PlanFailure>> {
  for (const end = Date.now() + MAX_REPEAT_MS; ; ) {
    const answer = await send();
    if (answer.failure === undefined) return ok(answer.data);
    const { code, message } = answer.failure;
    if (TOO_LARGE_CODES.has(code ?? '')) return err({ kind: 'too-large', message });
    if (!PASSING.has(code) || Date.now() > end) return err({ kind: 'refused', message });
    onWait?.(message);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
