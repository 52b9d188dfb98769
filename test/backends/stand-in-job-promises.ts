import { expect } from 'vitest';
import { jobsClient } from '../graphql/schema/jobs-client.ts';
import type { Gateway } from '../support/gateway.ts';
import { type Knowledge, latestOf } from '../support/stand-in-service/knowledge.ts';
import type { Readings } from '../support/stand-in-service/readings.ts';
import type { StandInService } from '../support/stand-in-service/stand-in-service.ts';
import { ask, expectHarmless, expectTrue, type Item, type Outcome, openScene, textOf } from './stand-in-scene.ts';

/** What is promised of previews, jobs, their reverts and new categories, by a fresh stand-in with these readings. */
export async function checkJobPromises(readings: Readings): Promise<void> {
  const { service, gateway } = await openScene(readings);
  try {
    await checkPreview(service, gateway);
    await checkJobs(service, gateway);
    await checkCategories(service, gateway);
    expectHarmless(service);
  } finally {
    await gateway.close();
    await service.close();
  }
}

const ITEMS: readonly Item[] = [
  { articleId: 'draft', title: 'draft 1', content: '  # A text\r\nof two lines ' },
  { articleId: 'hidden-draft', title: 'hidden 1' },
  { articleId: 'hidden-draft', languageCode: 'fr', title: 'caché 1', order: 7 },
  { articleId: 'hidden-public', title: 'hidden 2' },
  { articleId: 'public', title: 'public 1', translationStatus: 'TRANSLATED' },
  { articleId: 'draft-over-public', languageCode: 'fr', title: 'brouillon 1', categoryId: 'guides' },
  { articleId: 'html', title: 'html 1', content: '  <p>a<br>b</p>\r\n' },
  { articleId: 'untranslated', languageCode: 'fr', title: 'nouveau 1' },
  { articleId: 'no-such-article', title: 'none 1' },
];

const PREVIEW = `mutation ($input: BulkUpdateArticlesInput!) {
  result: previewBulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPreview {
      results { articleId wouldSucceed isPublished wouldFork wouldCreateTranslation changes { field from to } }
    }
    ... on MutationError { message }
  }
}`;

interface PreviewedItem {
  readonly wouldSucceed: boolean;
  readonly isPublished: boolean | null;
  readonly wouldCreateTranslation: boolean;
  readonly changes: readonly { readonly field: string; readonly from: unknown }[];
}

/** A preview writes nothing, shows what is there, and promises no more than the service does. */
async function checkPreview(service: StandInService, gateway: Gateway): Promise<void> {
  const before = service.knowledge;
  const { result } = await ask(gateway, PREVIEW, { input: { articles: ITEMS } });
  const previewed: readonly PreviewedItem[] = Object(result).results;
  expect(service.knowledge).toBe(before);
  for (const [index, item] of ITEMS.entries()) {
    const { wouldSucceed, isPublished, wouldCreateTranslation, changes } = previewed[index] ?? { changes: [] };
    const text = textOf(service, item);
    const what = `the preview of ${item.articleId} ${item['title']}`;
    if (text === undefined) {
      // A translation may be made by the update, and is never said to be there.
      expect(
        changes.map(({ from }) => from).filter((from) => from !== null),
        what,
      ).toEqual([]);
      expect(wouldSucceed === true && wouldCreateTranslation !== true, what).toBe(false);
    } else {
      const { title, isPublished: isPublic } = latestOf(text);
      expect({ wouldSucceed, isPublished, wouldCreateTranslation }, what).toEqual({
        wouldSucceed: true,
        isPublished: isPublic,
        wouldCreateTranslation: false,
      });
      expect(
        changes.find(({ field }) => field === 'TITLE'),
        what,
      ).toMatchObject({ from: title });
    }
  }
}

const RESULTS = `query ($id: ID!) {
  articleUpdateJob(id: $id) {
    results(first: 100) { nodes { __typename index articleId draftVersionNumber details ... on ArticleUpdateNotAttempted { reason } } }
  }
}`;

const REVERT = `mutation ($id: ID!, $userId: ID) {
  preview: previewRevertArticleUpdateJob(id: $id) {
    __typename
    ... on RevertArticleUpdateJobPreview {
      items(first: 100) { nodes { index articleId details members { name before asLeft now } } }
    }
  }
  revert: revertArticleUpdateJob(id: $id, idempotencyKey: "revert", userId: $userId) {
    __typename
    ... on RevertArticleUpdateJobPayload { job { id } }
    ... on MutationError { message }
  }
}`;

interface JobOutcome extends Outcome {
  readonly index: number;
  readonly details: string | null;
}

interface PreviewedRevertItem {
  readonly index: number;
  readonly members: readonly { readonly name: string; readonly before: unknown }[];
}

const titleIn = ({ articles }: Knowledge, { articleId, languageCode = 'en' }: Item): string | undefined => {
  const text = articles.get(articleId)?.texts.get(languageCode);
  return text && latestOf(text).title;
};

/**
 * False where a revert may take the job's own writes for another's: lists that lag may hide them, and a version that the
 * service has made of a call is known as the job's only where its answer names the items.
 */
const knowsItsOwn = ({ lag, published, failingItem }: Readings): boolean =>
  lag === 'none' && (published !== 'makes a version' || failingItem !== '400 without items');

/** The outcomes of a job and of its revert are true, and the revert puts back what the job has changed. */
async function checkJobs(service: StandInService, gateway: Gateway): Promise<void> {
  const jobs = jobsClient(gateway);
  const outcomesOf = async (id: string): Promise<readonly JobOutcome[]> => {
    await jobs.untilDone(id);
    const { articleUpdateJob } = await ask(gateway, RESULTS, { id });
    return Object(articleUpdateJob).results.nodes;
  };
  const before = service.knowledge;
  const { job } = await jobs.submit('job', { articles: ITEMS, keepBefore: 'WHERE_POSSIBLE', name: 'All of them' });
  const outcomes = await outcomesOf(job.id);
  expectTrue(service, ITEMS, outcomes);
  expect(await jobs.find(job.id)).toMatchObject({ name: 'All of them' });
  const left = service.knowledge;
  const { preview, revert } = await ask(gateway, REVERT, { id: job.id, userId: 'user-1' });
  expect(Object(revert).__typename, JSON.stringify(revert)).toBe('RevertArticleUpdateJobPayload');
  const previewed: readonly PreviewedRevertItem[] = Object(preview).items.nodes;
  for (const { index, members } of previewed) {
    const title = members.find(({ name }) => name === 'title');
    const item = ITEMS[index];
    if (item !== undefined && title !== undefined) expect(title.before).toBe(titleIn(before, item));
  }
  // A revert has the items of its preview, in their order.
  for (const { __typename: type, index, reason, details } of await outcomesOf(Object(revert).job.id)) {
    const item = ITEMS[previewed[index]?.index ?? -1];
    if (item === undefined) continue;
    const what = `the revert of ${item.articleId} ${item['title']}: ${type} ${reason} ${details}`;
    // Nobody else has written.
    if (knowsItsOwn(service.readings)) expect(reason, what).not.toBe('CHANGED_SINCE');
    if (type === 'ArticleUpdated') expect(titleIn(service.knowledge, item), what).toBe(titleIn(before, item));
    else if (type !== 'ArticleUpdateUnknown') expect(titleIn(service.knowledge, item), what).toBe(titleIn(left, item));
  }
}

const CREATE = `mutation ($input: CreateCategoriesInput!) {
  preview: previewCreateCategories(input: $input) {
    __typename
    ... on CreateCategoriesPreview { results { name wouldSucceed } }
  }
  result: createCategories(input: $input) {
    __typename
    ... on CreateCategoriesPayload { results { __typename name ... on CategoryCreated { categoryId } } }
    ... on MutationError { message mayHaveApplied }
  }
}`;

const CATEGORIES = [
  { name: 'New', projectVersionId: 'pv1' },
  { name: 'Below', projectVersionId: 'pv1', parentCategoryId: 'guides', order: 3 },
  { name: 'Nowhere', projectVersionId: 'pv1', parentCategoryId: 'no-such-category' },
];

/** The outcomes of new categories are true, together and each alone. */
async function checkCategories(service: StandInService, gateway: Gateway): Promise<void> {
  for (const categories of [CATEGORIES, ...CATEGORIES.map((one) => [{ ...one, name: `${one.name} alone` }])]) {
    const { preview, result } = await ask(gateway, CREATE, { input: { categories, userId: 'user-1' } });
    const { results, mayHaveApplied } = Object(result);
    for (const [index, { name, parentCategoryId }] of categories.entries()) {
      expect(Object(preview).results[index], name).toEqual({
        name,
        wouldSucceed: parentCategoryId !== 'no-such-category',
      });
      const { __typename: type = mayHaveApplied ? 'Unknown' : 'Failed', categoryId } = results?.[index] ?? {};
      const found = service.knowledge.categories.filter((one) => one.name === name);
      if (type === 'CategoryCreated')
        expect(
          found.map(({ id }) => id),
          name,
        ).toEqual([categoryId.toLowerCase()]);
      else if (!type.endsWith('Unknown')) expect(found, `${name}: ${type}`).toEqual([]);
      expect(found.length, name).toBeLessThanOrEqual(1);
    }
  }
}
