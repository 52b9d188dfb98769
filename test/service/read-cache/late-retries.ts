import { expect, it } from 'vitest';
import type { SharedState } from '../../../src/core/shared-state.ts';
import { status } from '../../support/faulty-service.ts';
import { controlTime, openCacheScene, titleOf } from '../../support/read-cache-scene.ts';
import { accept, callerWith } from '../../support/rest-scene.ts';
import { unapplied } from '../../support/writable-service.ts';

const ARTICLE = 'GET /v2/Articles/a1/en';
const BULK = 'PUT /v2/Articles/bulkupdate';

/** Short enough that both the mark of a write and what is kept are over before it is sent again. */
const OPTIONS = { timeoutMs: 500, readCacheMs: 1_000 };
const RETRY_SECONDS = 2;
const MARK_AND_MORE_MS = 2_100;

/** Far less than a call of the shared state may take: one that is under way when time passes does not fail. */
const STEP_MS = 300;

/** The states of the gateways, or null for one that keeps to itself. The first writes, and all read. */
export function describeLateRetry(open: () => Promise<readonly (SharedState | null)[]>): void {
  it('keeps reads from the cache while a write is under way that a 429 had kept back for longer than its mark', {
    tags: 'long',
  }, async () => {
    const passTime = controlTime();
    const shared = await open();
    const { service, knowledgeBase, backends } = await openCacheScene(
      ...shared.map((state) => ({ ...OPTIONS, shared: state })),
    );
    const [writer] = backends;
    if (writer === undefined) throw new Error('There is no gateway.');
    await accept({ service, backend: writer }, 'token-2');
    const answer = Promise.withResolvers<void>();
    knowledgeBase.onNextWrites(
      unapplied(status(429, '', { 'retry-after': `${RETRY_SECONDS}` })),
      (apply) => apply(),
      (apply) =>
        async (...exchange) => {
          await answer.promise;
          await apply()(...exchange);
        },
    );
    const write = (title: string, token: string) =>
      writer.bulkUpdateArticles(callerWith(token), [{ articleId: 'a1', languageCode: 'en', title }]);
    const written = write('new', 'token-1');
    await expect.poll(() => service.receivedOn(BULK)).toHaveLength(1);
    for (let passedMs = 0; passedMs < MARK_AND_MORE_MS; passedMs += STEP_MS) {
      await writer.rateLimit(callerWith('token-1'));
      passTime(STEP_MS);
    }
    // The write of another token has the gateway forget the scopes whose marks are over.
    await write('of another', 'token-2');
    await expect.poll(() => service.receivedOn(BULK)).toHaveLength(3);
    const before = service.receivedOn(ARTICLE).length;
    for (const backend of backends) await titleOf(backend, 'a1');
    for (const backend of backends) await titleOf(backend, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(before + 2 * backends.length);
    answer.resolve();
    expect(await written).toMatchObject({ ok: true });
    for (const backend of backends) expect(await titleOf(backend, 'a1')).toBe('new');
  });
}
