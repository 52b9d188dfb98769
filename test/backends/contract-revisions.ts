import { describe, expect, it } from 'vitest';
import type { Send } from '../support/gateway.ts';

const UPDATE = `mutation ($articles: [ArticleUpdateInput!]!) {
  result: bulkUpdateArticles(input: { articles: $articles }) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results {
        __typename articleId retryable
        ... on ArticleUpdateNotAttempted { reason details current { title revision } }
      }
    }
    ... on ValidationError { issues { path message } }
  }
}`;

const PUBLISH = `mutation ($articles: [ArticlePublishInput!]!) {
  result: publishArticles(input: { articles: $articles, userId: "embedded-store" }) {
    ... on PublishArticlesPayload {
      results { __typename ... on ArticleUpdateNotAttempted { reason current { revision } } }
    }
  }
}`;

const PREVIEW = `mutation ($articles: [ArticleUpdateInput!]!) {
  result: previewBulkUpdateArticles(input: { articles: $articles }) {
    ... on BulkUpdateArticlesPreview { results { wouldSucceed revision issues { path message } } }
  }
}`;

const submitting = (rule: string) => `mutation ($articles: [ArticleUpdateInput!]!, $key: String!) {
  result: submitArticleUpdateJob(input: { articles: $articles ${rule} }, idempotencyKey: $key) {
    ... on SubmitArticleUpdateJobPayload { job { id } }
  }
}`;

const JOB = `query ($id: ID!) {
  articleUpdateJob(id: $id) {
    done
    results(first: 10) {
      nodes { __typename articleId draftVersionNumber ... on ArticleUpdateNotAttempted { reason current { title } } }
    }
  }
}`;

interface Item {
  readonly articleId: string;
  readonly [member: string]: unknown;
}

export function describeRevisions(send: Send): void {
  const run =
    (document: string) =>
    async (...articles: readonly Item[]) => {
      const { body } = await send(document, { articles });
      expect(body.errors).toBeUndefined();
      return Object(body.data?.['result']);
    };
  const update = run(UPDATE);
  const publish = run(PUBLISH);
  const preview = run(PREVIEW);
  const revisionOf = async (articleId: string, fields = 'revision'): Promise<string> => {
    const { body } = await send(`query ($id: ID!) { article(articleId: $id) { ${fields} } }`, { id: articleId });
    return Object(body.data?.['article']).revision;
  };
  const listedRevisionOf = async (articleId: string): Promise<string> => {
    const { body } = await send('{ articles(first: 100) { nodes { articleId revision } } }');
    const nodes: readonly { articleId: string; revision: string }[] = Object(body.data?.['articles']).nodes;
    return nodes.find((node) => node.articleId === articleId)?.revision ?? 'not in the list';
  };

  /** The outcomes of a job with this rule. */
  const runJob = async (articles: readonly Item[], rule = '') => {
    const submitted = await send(submitting(rule), { articles, key: crypto.randomUUID() });
    const { id } = Object(submitted.body.data?.['result']).job;
    const job = async () => Object((await send(JOB, { id })).body.data?.['articleUpdateJob']);
    await expect.poll(async () => (await job()).done, { timeout: 60_000 }).toBe(true);
    return (await job()).results.nodes;
  };

  const touch = (): Promise<unknown> =>
    update({ articleId: 'a1', title: 'Changed' }, { articleId: 'a2', title: 'Changed' });

  describe('Article.revision', () => {
    it('is there for an article that was only imported, and another one after a change', async () => {
      const imported = await revisionOf('a3');
      expect(imported).toMatch(/^[\w-]{16}$/u);
      await update({ articleId: 'a3', content: 'Changed' });
      expect((await update({ articleId: 'a3', title: 'Mine', ifRevision: imported })).results).toMatchObject([
        { reason: 'CHANGED_SINCE' },
      ]);
    });

    it('is the same from a list, from the article, and beside its text', async () => {
      await touch();
      const revision = await revisionOf('a1');
      expect(revision).toMatch(/^[\w-]{16}$/u);
      expect(await listedRevisionOf('a1')).toBe(revision);
      expect(await revisionOf('a1', 'revision content')).toBe(revision);
      expect((await preview({ articleId: 'a1' })).results).toMatchObject([{ revision }]);
    });

    it.each([{ title: 'Another title' }, { content: 'Another text' }, { hidden: true }, { hidden: false }])(
      'is another one after %o',
      async (change) => {
        const before = await revisionOf('a1');
        await update({ articleId: 'a1', ...change });
        const after = await revisionOf('a1');
        expect(after).not.toBe(before);
        expect(await listedRevisionOf('a1')).toBe(after);
      },
    );

    it('is another one after a publication', async () => {
      await update({ articleId: 'a1', title: 'To be published' });
      const before = await revisionOf('a1');
      await publish({ articleId: 'a1', versionNumber: 2 });
      expect(await revisionOf('a1')).not.toBe(before);
    });
  });

  describe('ifRevision of articles', () => {
    it('writes what has the revision, and does not attempt what has changed', async () => {
      await touch();
      const [one, other] = [await revisionOf('a1'), await revisionOf('a2')];
      await update({ articleId: 'a2', title: "A colleague's title" });
      const { results } = await update(
        { articleId: 'a1', title: 'Mine', ifRevision: one },
        { articleId: 'a2', title: 'Mine', ifRevision: other },
      );
      expect(results).toMatchObject([
        { __typename: 'ArticleUpdated', articleId: 'a1' },
        {
          __typename: 'ArticleUpdateNotAttempted',
          articleId: 'a2',
          reason: 'CHANGED_SINCE',
          retryable: false,
          details: expect.stringContaining('no longer has the revision'),
          current: { title: "A colleague's title", revision: await revisionOf('a2') },
        },
      ]);
    });

    it('does not count what the request itself has written', async () => {
      const ifRevision = await revisionOf('a1');
      const { results } = await update(
        { articleId: 'a1', title: 'First', ifRevision },
        { articleId: 'a1', title: 'Second', ifRevision },
      );
      expect(results).toMatchObject([{ __typename: 'ArticleUpdated' }, { __typename: 'ArticleUpdated' }]);
      expect((await update({ articleId: 'a1', title: 'Third', ifRevision })).results).toMatchObject([
        { reason: 'CHANGED_SINCE', current: { title: 'Second' } },
      ]);
    });

    it('tells two changes of one moment apart', async () => {
      const seen = new Set<string>();
      for (const title of ['One', 'Two', 'One', 'Two']) {
        await update({ articleId: 'a1', title });
        seen.add(await revisionOf('a1'));
      }
      expect(seen.size).toBe(4);
    });

    it('fails an article that does not exist as without a revision', async () => {
      expect((await update({ articleId: 'no-such-article', title: 'x', ifRevision: 'any' })).results).toMatchObject([
        { __typename: 'ArticleUpdateFailed' },
      ]);
    });

    it('must not be null', async () => {
      expect(await update({ articleId: 'a1', title: 'x', ifRevision: null })).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: ['input', 'articles', '0', 'ifRevision'] }],
      });
    });

    it('is an issue of a preview', async () => {
      expect((await preview({ articleId: 'a1', title: 'x', ifRevision: 'another' })).results).toMatchObject([
        {
          wouldSucceed: false,
          issues: [
            { path: ['input', 'articles', '0', 'ifRevision'], message: expect.stringMatching(/^CHANGED_SINCE: /u) },
          ],
        },
      ]);
      const ifRevision = await revisionOf('a1');
      expect((await preview({ articleId: 'a1', title: 'x', ifRevision })).results).toMatchObject([
        { wouldSucceed: true, issues: [] },
      ]);
    });

    it('is compared by a job as well', async () => {
      await touch();
      const [one, other] = [await revisionOf('a1'), await revisionOf('a2')];
      await update({ articleId: 'a2', title: 'Changed before the job' });
      const articles = [
        { articleId: 'a1', title: 'By the job', ifRevision: one },
        { articleId: 'a2', title: 'By the job', ifRevision: other },
      ];
      expect(await runJob(articles)).toMatchObject([
        { __typename: 'ArticleUpdated', articleId: 'a1' },
        { articleId: 'a2', reason: 'CHANGED_SINCE', current: { title: 'Changed before the job' } },
      ]);
    });

    it('keeps a changed article from being published', async () => {
      await send(
        'mutation { unpublishArticles(input: { articles: [{ articleId: "a1" }], userId: "embedded-store" }) { __typename } }',
      );
      await update({ articleId: 'a1', title: 'Seen' });
      const ifRevision = await revisionOf('a1');
      await update({ articleId: 'a1', title: 'Not seen' });
      expect((await publish({ articleId: 'a1', versionNumber: 2, ifRevision })).results).toMatchObject([
        {
          __typename: 'ArticleUpdateNotAttempted',
          reason: 'CHANGED_SINCE',
          current: { revision: await revisionOf('a1') },
        },
      ]);
      expect(
        (await publish({ articleId: 'a1', versionNumber: 2, ifRevision: await revisionOf('a1') })).results,
      ).toMatchObject([{ __typename: 'ArticleUpdated' }]);
    });

    it('is compared by a job before it forks a published version, and lets the draft be written', async () => {
      await publish({ articleId: 'a1' }, { articleId: 'a2' });
      await touch();
      const [one, other] = [await revisionOf('a1'), await revisionOf('a2')];
      await update({ articleId: 'a2', title: 'Changed before the job' });
      const articles = [
        { articleId: 'a1', title: 'Draft of the job', ifRevision: one },
        { articleId: 'a2', title: 'Draft of the job', ifRevision: other },
      ];
      expect(await runJob(articles, 'ifPublished: FORK, userId: "embedded-store"')).toMatchObject([
        { __typename: 'ArticleUpdated', articleId: 'a1', draftVersionNumber: expect.any(Number) },
        { articleId: 'a2', reason: 'CHANGED_SINCE', draftVersionNumber: null },
      ]);
    });
  });

  describe('ifRevision of reader groups', () => {
    const groupRevision = async (fields = 'revision') => {
      const { body } = await send(`{ readerGroup(groupId: "g1") { ${fields} } }`);
      return Object(body.data?.['readerGroup']).revision;
    };
    const CHANGED =
      '__typename ... on ChangedSinceError { code retryable mayHaveApplied readerGroup { title revision } }';
    const writeGroup = async (name: string, input: string) => {
      const { body } = await send(`mutation { result: ${name}(input: ${input}) { ${CHANGED} } }`);
      expect(body.errors).toBeUndefined();
      return body.data?.['result'];
    };

    it('is that of the whole group, and changes with it', async () => {
      const revision = await groupRevision();
      expect(await groupRevision('title revision readerIds')).toBe(revision);
      await writeGroup('updateReaderGroup', `{ groupId: "g1", title: "Renamed", ifRevision: "${revision}" }`);
      expect(await groupRevision()).not.toBe(revision);
    });

    it.each([
      ['updateReaderGroup', 'title: "Mine"'],
      ['previewUpdateReaderGroup', 'title: "Mine"'],
      ['changeReaderGroupMembers', 'removeReaderIds: ["nobody"]'],
      ['previewChangeReaderGroupMembers', 'removeReaderIds: ["nobody"]'],
    ])('keeps %s from overwriting a change', async (name, change) => {
      const old = await groupRevision();
      await writeGroup('updateReaderGroup', `{ groupId: "g1", title: "Of ${name}" }`);
      const current = await groupRevision();
      expect(await writeGroup(name, `{ groupId: "g1", ${change}, ifRevision: "${old}" }`)).toEqual({
        __typename: 'ChangedSinceError',
        code: 'CHANGED_SINCE',
        retryable: false,
        mayHaveApplied: false,
        readerGroup: { title: `Of ${name}`, revision: current },
      });
      expect(await writeGroup(name, `{ groupId: "g1", ${change}, ifRevision: "${current}" }`)).not.toMatchObject({
        __typename: 'ChangedSinceError',
      });
    });
  });
}
