import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CompletedCreation, CreationOutcome } from '../../../src/core/articles/article-creations.ts';
import type { Backend, BackendResult } from '../../../src/core/backend.ts';
import type { SharedCreations } from '../../../src/core/shared-state.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { type Behaviour, envelope, type FaultyService, held, json, reset } from '../../support/faulty-service.ts';
import { startGateway } from '../../support/gateway.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { callerWith, openAcceptedScene, openBackendTo, openScene } from '../../support/rest-scene.ts';
import { creation, type Draft, draft, ONE, SEVERAL, serveDrafts } from './drafts.ts';

const outcomesOf = async (answer: BackendResult<CompletedCreation>): Promise<readonly CreationOutcome[]> => {
  const result = await answer;
  return result.ok ? result.value.outcomes : [];
};

const create = (backend: Backend, titles: readonly string[]) =>
  outcomesOf(
    backend.createArticles(
      callerWith(),
      titles.map((title) => creation(title)),
    ),
  );

const CREATED = [{ kind: 'created', articleId: 'n1', evidence: 'READ_BACK' }];
const ANSWERED = [{ kind: 'created', articleId: 'n1' }];
const UNKNOWN = [{ kind: 'unknown', candidates: [{ articleId: 'n1', languageCode: 'en' }] }];

/** What a further look gives for the outcomes of those titles, in their order. */
async function lookAgain(backend: Backend, outcomes: readonly CreationOutcome[]) {
  const items = ['New', 'Beside'].slice(0, outcomes.length).map((title) => creation(title));
  const found = await backend.lookForCreated(callerWith(), items, outcomes);
  return found.ok ? found.value : [];
}

describe('a create that ended unknown', () => {
  it('is looked for again while the lists lag and the request lasts', async () => {
    const { service, backend } = await openScene({ lookPausesMs: [20, 20, 20] });
    const drafts: Draft[] = [];
    serveDrafts(service, drafts);
    const trees = () => service.received.filter(({ url }) => url.includes('/categories')).length;
    const answer = create(backend, ['New']);
    await expect.poll(trees).toBeGreaterThan(0);
    drafts.push(draft('n1', 'New'));
    expect(await answer).toMatchObject([{ kind: 'created', articleId: 'n1', evidence: 'READ_BACK' }]);
  });

  it('is looked for so many times and no more, and not beyond its request', async () => {
    const { service, backend } = await openScene({ lookPausesMs: [1, 1, 600_000] });
    serveDrafts(service, []);
    expect(await create(backend, ['New'])).toMatchObject([
      { kind: 'unknown', candidates: [], details: expect.stringContaining('does not prove') },
    ]);
    expect(service.received.filter(({ url }) => url.includes('/categories'))).toHaveLength(3);
  });

  it.each([
    ['Caf\u00e9', 'Cafe\u0301'],
    ['  New  ', 'New'],
    ['e\u0301\u00a0', '\u00e9'],
  ])('is found under a title as the service may have stored it: %j', async (sent, stored) => {
    const { service, backend } = await openScene();
    serveDrafts(service, [draft('n1', stored)]);
    expect(await create(backend, [sent])).toMatchObject([{ kind: 'created', articleId: 'n1' }]);
  });

  it('is not found in an article that was there before the gateway started, which another may have reported', async () => {
    const before = await openScene();
    serveDrafts(before.service, [draft('n1', 'New', { createdAfterMs: -2_000 })]);
    expect(await create(before.backend, ['New'])).toMatchObject([{ kind: 'created', articleId: 'n1' }]);
    const { service: after, backend } = await openScene({ startedAt: performance.now() });
    serveDrafts(after, [draft('n1', 'New', { createdAfterMs: -2_000 })]);
    expect(await create(backend, ['New'])).toMatchObject(UNKNOWN);
  });

  it('is looked for again by a repeated request with its key, and stays created from then on', async () => {
    const { service, backend } = await openScene();
    const drafts: Draft[] = [];
    serveDrafts(service, drafts);
    const gateway = await startGateway({ backend, local: false, token: 'token-1' });
    onTestFinished(() => gateway.close());
    const articles = ['New', 'Older'].map((title) => ({
      ...{ title, projectVersionId: 'pv1', categoryId: 'c1', content: 'Text' },
    }));
    const send = async () => {
      const { body } = await gateway.send(
        `mutation ($input: CreateArticlesInput!) { createArticles(input: $input, idempotencyKey: "key") { ... on CreateArticlesPayload {
          replayed results { __typename details ... on ArticleCreated { articleId evidence } ... on ArticleCreateUnknown { candidates { articleId } } }
        } } }`,
        { input: { articles, userId: 'u1' } },
      );
      return body.data?.['createArticles'];
    };
    const details = expect.stringContaining('does not prove');
    const unknown = (...ids: string[]) => ({
      ...{ __typename: 'ArticleCreateUnknown', details, candidates: ids.map((articleId) => ({ articleId })) },
    });
    const created = { __typename: 'ArticleCreated', details: null, articleId: 'n1', evidence: 'READ_BACK' };
    expect(await send()).toEqual({ replayed: false, results: [unknown(), unknown()] });
    expect(await send()).toEqual({ replayed: true, results: [unknown(), unknown()] });
    drafts.push(draft('n1', 'New'), draft('o1', 'Older', { createdAfterMs: -60_000 }));
    expect(await send()).toEqual({ replayed: true, results: [created, unknown('o1')] });
    drafts[0] = draft('n1', 'New', { publicVersion: 1 });
    expect(await send()).toEqual({ replayed: true, results: [created, unknown('o1')] });
    expect(service.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('has candidates, and stays unknown, where its process is gone', async () => {
    const { service, backend } = await openScene();
    const drafts: Draft[] = [];
    serveDrafts(service, drafts);
    const outcomes = await create(backend, ['New']);
    drafts.push(draft('n1', 'New'));
    const restarted = openBackendTo(service);
    onTestFinished(() => restarted.close());
    expect(await lookAgain(restarted, outcomes)).toMatchObject(UNKNOWN);
    expect(await lookAgain(backend, outcomes)).toMatchObject(CREATED);
  });
});

describe('a create that ended unknown, of one of several gateways', () => {
  const openPeer = (service: FaultyService, options: Partial<RestBackendOptions>) => {
    const peer = openBackendTo(service, options);
    onTestFinished(() => peer.close());
    return peer;
  };

  it('is found while no other has begun an equal one, and stays unknown once one has', async () => {
    const { service } = await openScene();
    serveDrafts(service, [draft('n1', 'New')]);
    const world = createSharedWorld();
    const [one, other] = [1, 2].map(() => openPeer(service, { shared: world.gateway() }));
    if (one === undefined || other === undefined) throw new Error('There are two.');
    const outcomes = await create(one, ['New']);
    expect(outcomes).toMatchObject(CREATED);
    expect(await create(other, ['New'])).toMatchObject(UNKNOWN);
    // What was reported once stays reported.
    expect(await lookAgain(one, outcomes)).toMatchObject(CREATED);
  });

  it('stays unknown while the state cannot say whether another has begun an equal one', async () => {
    const { service } = await openScene();
    const world = createSharedWorld();
    const shared = world.gateway();
    const cut: Behaviour = (...exchange) => {
      world.partition(shared, true);
      return reset()(...exchange);
    };
    serveDrafts(service, [draft('n1', 'New')], { answer: cut });
    const one = openPeer(service, { shared });
    const outcomes = await create(one, ['New']);
    expect(outcomes).toMatchObject(UNKNOWN);
    world.partition(shared, false);
    expect(await lookAgain(one, outcomes)).toMatchObject(CREATED);
  });

  it('is not sent where it cannot be announced, and is sent and stays unknown with STATE_FAILURE=open', async () => {
    const { service } = await openScene();
    serveDrafts(service, [draft('n1', 'New')]);
    const world = createSharedWorld();
    const shared = world.gateway();
    const [closed, open] = [openPeer(service, { shared }), openPeer(service, { shared, onSharedFailure: 'open' })];
    expect(await create(open, ['New'])).toMatchObject(UNKNOWN);
    expect(service.receivedOn(ONE)).toHaveLength(1);
    world.partition(shared, true);
    const unsent = await closed.createArticles(callerWith(), [creation('New')]);
    expect(unsent).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.receivedOn(ONE)).toHaveLength(1);
  });

  it('leaves no announcement of creates that the service has refused', async () => {
    const { service } = await openScene();
    const world = createSharedWorld();
    const [one, other] = [1, 2].map(() => openPeer(service, { shared: world.gateway() }));
    if (!one || !other) throw new Error('There are no gateways.');
    serveDrafts(service, [draft('n1', 'New')], { answer: json(400, envelope(null)) });
    expect(await create(one, ['New'])).toMatchObject([{ kind: 'failed' }]);
    serveDrafts(service, [draft('n1', 'New')]);
    expect(await create(other, ['New'])).toMatchObject(CREATED);
  });

  it('costs one statement a request where it is answered', async () => {
    const { service } = await openScene();
    serveDrafts(service, [], { answer: json(201, envelope({ id: 'n1', title: 'New' })) });
    const shared = createSharedWorld().gateway();
    const announced: (readonly string[])[] = [];
    const creations: SharedCreations = {
      announce: (places) => {
        announced.push(places);
        return shared.creations.announce(places);
      },
      isOnlyOne: () => Promise.reject(new Error('Nothing is looked for.')),
      withdraw: () => Promise.reject(new Error('The article was created.')),
    };
    expect(await create(openPeer(service, { shared: { ...shared, creations } }), ['New'])).toMatchObject(ANSWERED);
    expect(announced).toEqual([[expect.any(String)]]);
  });
});

describe('equal creates of several callers', () => {
  const answered = (id: string) => json(201, envelope({ id, title: 'New' }));

  it('one that was cut is not created by the article that another was answered with', async () => {
    const { service, backend } = await openScene();
    serveDrafts(service, [draft('n1', 'New')], { answer: answered('n1') });
    expect(await create(backend, ['New'])).toMatchObject([{ kind: 'created', articleId: 'n1' }]);
    service.on(ONE, reset());
    expect(await create(backend, ['New'])).toMatchObject([{ kind: 'unknown', candidates: [{ articleId: 'n1' }] }]);
  });

  it.each([
    ['of two requests', 100, [['New'], ['New']]],
    ['of two calls of a request', 1, [['New', 'New']]],
  ] as const)(
    'are created by one article only once, whatever the answers say: %s',
    async (_name, bulkSize, requests) => {
      const { service, backend } = await openScene({ bulkSize });
      serveDrafts(service, [draft('n1', 'New')], { answer: answered('n1') });
      const outcomes: CreationOutcome[] = [];
      for (const titles of requests) outcomes.push(...(await create(backend, titles)));
      expect(outcomes).toMatchObject([{ kind: 'created', articleId: 'n1' }, { kind: 'unknown' }]);
    },
  );

  it.each(['c1', 'C1'])('one that was cut waits for another in category %s that is in flight', async (categoryId) => {
    const { service, backend } = await openAcceptedScene({ lookPausesMs: [50, 50] });
    const first = held(answered('n1'));
    // No call reaches the clock of the drafts.
    serveDrafts(service, [draft('n1', 'New', { createdAfterMs: Date.now() })]);
    service.on(ONE, first.behaviour, reset());
    const told = outcomesOf(backend.createArticles(callerWith(), [creation('New', { categoryId })]));
    await expect.poll(() => service.receivedOn(ONE).length).toBe(1);
    const cut = create(backend, ['New']);
    await expect.poll(() => service.receivedOn(ONE).length).toBe(2);
    await setTimeout(60);
    first.release();
    expect(await told).toMatchObject([{ kind: 'created', articleId: 'n1' }]);
    expect(await cut).toMatchObject([{ kind: 'unknown' }]);
  });

  interface SentRequest {
    /** True where it does not wait for the answers to those before it. */
    readonly isTogether: boolean;
    readonly isApplied: boolean;
    readonly isAnswered: boolean;
    readonly isListed: boolean;
    /** The gateway that it goes through. */
    readonly gateway: 0 | 1;
    readonly titles: readonly string[];
  }

  const request: fc.Arbitrary<SentRequest> = fc.record({
    isTogether: fc.boolean(),
    isApplied: fc.boolean(),
    isAnswered: fc.boolean(),
    isListed: fc.boolean(),
    gateway: fc.constantFrom(0, 1),
    titles: fc.constantFrom(['New'], ['New'], ['New', 'Beside']),
  });

  /** Serves each request as it says. What it creates is listed at once, or once `listRest` is called. */
  function serveRequests(service: FaultyService, requests: readonly SentRequest[]) {
    const listed: Draft[] = [];
    const late: Draft[] = [];
    serveDrafts(service, listed);
    const answerOf = ({ isAnswered, isApplied, isListed, titles }: SentRequest, index: number): Behaviour => {
      // No call reaches the clock of the drafts.
      const created = { createdAfterMs: Date.now() };
      const made = titles.map((title, n) => draft(`d${index}-${n}`, title, created));
      const entries = made.map(({ id }) => ({ article_id: id, success: true }));
      const answer = entries.length > 1 ? json(200, envelope(entries)) : answered(`d${index}-0`);
      return (response, received) => {
        if (isApplied || isAnswered) (isListed ? listed : late).push(...made);
        return (isAnswered ? answer : reset())(response, received);
      };
    };
    const queue = requests.map(answerOf);
    // Those with one title and those with two may arrive in another order than they were begun in.
    const next: Behaviour = (response, received) => (queue.shift() ?? reset())(response, received);
    service.on(ONE, next);
    service.on(SEVERAL, next);
    return { listRest: () => listed.push(...late) };
  }

  const idsOf = (outcomes: readonly CreationOutcome[]) =>
    outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.articleId] : []));

  it.each(['one gateway', 'two gateways'] as const)(
    'no article of %s is reported as created to two of them, whatever is cut, applied and listed',
    {
      tags: 'long',
    },
    async (gateways) => {
      const { service } = await openScene();
      let found = 0;
      const isShared = gateways === 'two gateways';
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 5 }), async (requests) => {
          const { listRest } = serveRequests(service, requests);
          const world = createSharedWorld();
          const backends = [0, 1].map(() =>
            openBackendTo(service, { lookPausesMs: [1], shared: isShared ? world.gateway() : null }),
          );
          const backendOf = (index: number): Backend => {
            const backend = backends[isShared ? (requests[index]?.gateway ?? 0) : 0];
            if (backend === undefined) throw new Error('There is no such gateway.');
            return backend;
          };
          const answers: Promise<readonly CreationOutcome[]>[] = [];
          for (const [index, { isTogether, titles }] of requests.entries()) {
            if (!isTogether) await Promise.all(answers);
            answers.push(create(backendOf(index), titles));
          }
          const reported = await Promise.all(answers);
          listRest();
          const again = await Promise.all(reported.map((outcomes, index) => lookAgain(backendOf(index), outcomes)));
          await Promise.all(backends.map((backend) => backend.close()));
          const ids = idsOf(again.flat());
          expect(ids).toEqual([...new Set(ids)]);
          expect(ids).toEqual(expect.arrayContaining(idsOf(reported.flat())));
          found += again.flat().filter((outcome) => 'evidence' in outcome && outcome.evidence === 'READ_BACK').length;
        }),
        { numRuns: 60 },
      );
      expect(found).toBeGreaterThan(0);
    },
  );
});
