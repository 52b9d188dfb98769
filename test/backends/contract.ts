import { afterAll, beforeAll, describe } from 'vitest';
import type { Gateway, Send } from '../support/gateway.ts';
import { describeAccessScopes } from './contract-access-scopes.ts';
import { describeArticleCreations } from './contract-article-creations.ts';
import { describeBulkUpdates } from './contract-bulk-updates.ts';
import { describeCategoryCreations } from './contract-category-creations.ts';
import { describeForks } from './contract-forks.ts';
import { describeGroupUpdates } from './contract-group-updates.ts';
import { describePublications } from './contract-publications.ts';
import { describeReads } from './contract-reads.ts';
import { describeRevisions } from './contract-revisions.ts';

/**
 * What GraphQL promises whatever stands behind it. The expected answers are literal, so that two backends that pass give
 * the same answers. `open` starts a gateway over a fresh copy of test/fixtures/knowledge-base.json.
 * The service gives Markdown articles their `htmlContent`, too, which the store has not: `htmlOf` says which.
 */
export function describeContract(
  name: string,
  open: () => Promise<Gateway>,
  htmlOf: (markdown: string) => string | null = () => null,
): void {
  describe(`contract over ${name}`, () => {
    let gateway: Gateway | undefined;
    const send: Send = (...args) => {
      if (!gateway) throw new Error('The gateway has not started.');
      return gateway.send(...args);
    };
    const restart = async () => {
      await gateway?.close();
      gateway = await open();
    };
    beforeAll(restart);
    afterAll(() => gateway?.close());
    describeReads(send, htmlOf);
    describe('writes', () => {
      beforeAll(restart);
      describeBulkUpdates(send, htmlOf);
    });
    describe('forks', () => {
      beforeAll(restart);
      describeForks(send);
    });
    describe('publications', () => {
      beforeAll(restart);
      describePublications(send);
    });
    describe('revisions', () => {
      beforeAll(restart);
      describeRevisions(send);
    });
    describe('new articles', () => {
      beforeAll(restart);
      describeArticleCreations(send, htmlOf);
    });
    describe('new categories', () => {
      beforeAll(restart);
      describeCategoryCreations(send);
    });
    describe('writes to groups', () => {
      beforeAll(restart);
      describeGroupUpdates(send);
    });
    describe('access scopes', () => {
      beforeAll(restart);
      describeAccessScopes(send);
    });
  });
}
