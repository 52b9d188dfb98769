import { describe, expect, it } from 'vitest';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import type { Send } from '../support/gateway.ts';

const CREATE = /* GraphQL */ `
  mutation ($input: CreateCategoriesInput!, $key: String) {
    createCategories(input: $input, idempotencyKey: $key) {
      __typename
      ... on CreateCategoriesPayload {
        replayed
        results {
          __typename index name details retryable
          ... on CategoryCreated {
            categoryId evidence
            category { categoryId name order languageCode parent { categoryId } children { name } }
          }
        }
        summary { total created failed unknown notAttempted }
        serviceErrors { description }
        warnings { description }
      }
      ... on MutationError { message code retryable mayHaveApplied }
      ... on ValidationError { source issues { path message } }
    }
  }
`;

const PREVIEW = /* GraphQL */ `
  mutation ($input: CreateCategoriesInput!) {
    previewCreateCategories(input: $input) {
      __typename
      ... on CreateCategoriesPreview {
        results {
          index name order wouldSucceed issues { path message }
          projectVersion { projectVersionId } parent { categoryId } existing { categoryId }
        }
        summary { total created failing }
        warnings { code extensionData }
      }
      ... on ValidationError { issues { path message } }
    }
  }
`;

const TREE = '{ categories(projectVersionId: "pv1") { categoryId name children { name children { name } } } }';

export function describeCategoryCreations(send: Send): void {
  const inputOf = (categories: readonly object[], userId?: string) => ({
    categories: categories.map((category) => ({ projectVersionId: 'pv1', ...category })),
    userId,
  });
  const create = async (categories: readonly object[], userId?: string, key?: string) =>
    Object((await send(CREATE, { input: inputOf(categories, userId), key })).body.data?.['createCategories']);
  const preview = async (categories: readonly object[], userId?: string) =>
    Object((await send(PREVIEW, { input: inputOf(categories, userId) })).body.data?.['previewCreateCategories']);

  describe('createCategories', () => {
    it('creates a level of a tree, and then the next one', async () => {
      const first = await create(
        [
          { name: 'Größe & Farbe', order: 3 },
          { name: 'Below c1', parentCategoryId: 'c1' },
        ],
        STORE_ACCOUNT.user_id,
      );
      const created = { __typename: 'CategoryCreated', details: null, retryable: false, evidence: 'ANSWER' };
      expect(first).toMatchObject({
        __typename: 'CreateCategoriesPayload',
        replayed: false,
        results: [
          { ...created, index: 0, name: 'Größe & Farbe', category: { order: 3, languageCode: 'en', parent: null } },
          { ...created, index: 1, category: { name: 'Below c1', order: null, parent: { categoryId: 'c1' } } },
        ],
        summary: { total: 2, created: 2, failed: 0, unknown: 0, notAttempted: 0 },
        serviceErrors: [],
        warnings: [],
      });
      const [{ categoryId: parentCategoryId }] = first.results;
      const { results } = await create([{ name: 'Second level', parentCategoryId }]);
      expect(results).toMatchObject([{ ...created, category: { parent: { categoryId: parentCategoryId } } }]);
      const { body } = await send(TREE);
      expect(body.data?.['categories']).toEqual(
        expect.arrayContaining([
          { categoryId: parentCategoryId, name: 'Größe & Farbe', children: [{ name: 'Second level', children: [] }] },
        ]),
      );
    });

    it('creates the others where one fails', async () => {
      const { results, summary } = await create([
        { name: 'One of two' },
        { name: 'Nowhere', parentCategoryId: 'gone' },
        { name: 'Elsewhere', parentCategoryId: 'c4' },
        { name: 'Two of two', parentCategoryId: 'c1' },
      ]);
      expect(summary).toMatchObject({ total: 4, failed: results.filter(isFailed).length, notAttempted: 0 });
      expect(results[1]).toMatchObject({
        __typename: 'CategoryCreateFailed',
        details: "The category with id 'gone' does not exist in the project version.",
      });
      const { body } = await send(TREE);
      const text = JSON.stringify(body.data);
      expect(text).toContain('One of two');
      expect(text).toContain('Two of two');
      expect(text).not.toContain('Elsewhere');
    });

    it('creates nothing twice with a key', async () => {
      const first = await create([{ name: 'Once' }], undefined, 'categories-once');
      const second = await create([{ name: 'Once' }], undefined, 'categories-once');
      expect(second).toEqual({ ...first, replayed: true });
      const other = await create([{ name: 'Other' }], undefined, 'categories-once');
      expect(other).toMatchObject({ __typename: 'IdempotencyError', mayHaveApplied: false });
    });

    it('fails where there is no such project version or team account', async () => {
      const failed = { __typename: 'CategoryCreateFailed', details: expect.stringContaining("'none'") };
      expect(await create([{ name: 'A', projectVersionId: 'none' }])).toMatchObject({ results: [failed] });
      expect(await create([{ name: 'A' }], 'none')).toMatchObject({ results: [failed] });
    });

    it('names every problem of the input', async () => {
      const { __typename, issues } = await create([{ name: ' ', order: 0, parentCategoryId: '' }], '');
      expect({ __typename, issues }).toEqual({
        __typename: 'ValidationError',
        issues: [
          { path: ['input', 'categories', '0', 'name'], message: 'name must have a character that is no white space.' },
          { path: ['input', 'categories', '0', 'parentCategoryId'], message: 'parentCategoryId must not be empty.' },
          { path: ['input', 'categories', '0', 'order'], message: 'order must be 1 or more.' },
          { path: ['input', 'userId'], message: 'userId must not be empty.' },
        ],
      });
      expect(await create([])).toMatchObject({ issues: [{ path: ['input', 'categories'] }] });
    });
  });

  describe('previewCreateCategories', () => {
    it('says what the create would do, and writes nothing', async () => {
      await create([{ name: 'Known', parentCategoryId: 'c1' }]);
      const before = await send(TREE);
      const answer = await preview(
        [
          { name: ' Known', parentCategoryId: 'c1' },
          { name: 'New', order: 2 },
          { name: 'New' },
          { name: 'Nowhere', parentCategoryId: 'c4' },
          { name: 'Nowhere', projectVersionId: 'none' },
        ],
        STORE_ACCOUNT.user_id,
      );
      const found = { projectVersion: { projectVersionId: 'pv1' }, wouldSucceed: true, existing: null, parent: null };
      const noParent = "The category with id 'c4' does not exist in the project version.";
      expect(answer).toMatchObject({
        results: [
          { ...found, index: 0, parent: { categoryId: 'c1' }, existing: { categoryId: expect.any(String) } },
          { ...found, index: 1, order: 2 },
          { ...found, index: 2, order: null },
          {
            wouldSucceed: false,
            issues: [{ path: ['input', 'categories', '3', 'parentCategoryId'], message: noParent }],
          },
          { wouldSucceed: false, issues: [{ path: ['input', 'categories', '4', 'projectVersionId'] }] },
        ],
        summary: { total: 5, created: 3, failing: 2 },
        warnings: [
          { code: 'NAME_EXISTS', extensionData: { indexes: [0], total: 1 } },
          { code: 'NAME_REPEATED', extensionData: { indexes: [2], total: 1 } },
        ],
      });
      expect(await send(TREE)).toEqual(before);
    });
  });
}

const isFailed = ({ __typename }: { readonly __typename: string }): boolean => __typename === 'CategoryCreateFailed';
