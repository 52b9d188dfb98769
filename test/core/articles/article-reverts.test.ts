import { describe, expect, it } from 'vitest';
import {
  type ArticleSnapshot,
  mergeTargets,
  type RevertTarget,
  revertOutcomeOf,
  stateLeftBy,
  targetOf,
} from '../../../src/core/articles/article-reverts.ts';
import type { Article } from '../../../src/core/articles/articles.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { type TextState, textStateOf } from '../../../src/core/articles/revisions.ts';

const AT = Date.UTC(2026, 0, 1, 12);

const articleAt = (seconds: number, members: Partial<Article> = {}): Article => ({
  articleId: 'a1',
  languageCode: 'en',
  projectVersionId: 'pv1',
  versionNumber: 3,
  pinned: false,
  latestVersionNumber: 3,
  title: 'Before',
  content: 'Text before',
  htmlContent: null,
  categoryId: 'c1',
  slug: null,
  hidden: false,
  order: 1,
  translationStatus: 'NONE',
  contentType: 'MARKDOWN',
  modifiedAt: new Date(AT + 1_000 * seconds),
  status: 'DRAFT',
  publicVersionNumber: 2,
  url: null,
  ...members,
});

const IMAGE: ArticleSnapshot = {
  languageCode: 'en',
  versionNumber: 3,
  latestVersionNumber: 3,
  publicVersionNumber: 2,
  translationStatus: 'NONE',
  contentType: 'MARKDOWN',
};

const PERIOD = { earliest: AT, latest: AT + 2_000 };

const noted = (article: Article): TextState => {
  const text = textStateOf(article);
  if (text === null) throw new Error('The article has a time.');
  return text;
};

interface Item {
  readonly update: Partial<ArticleUpdate>;
  readonly before: Article;
  readonly after: Article;
}

const target = ({ update, before, after }: Item): RevertTarget =>
  targetOf(
    {
      update: { articleId: 'a1', ...update },
      image: {
        ...IMAGE,
        ...(update.title !== undefined && { title: before.title }),
        ...(update.content !== undefined && { content: before.content ?? null }),
        ...(update.order !== undefined && { order: before.order }),
      },
      read: noted(before),
    },
    { isUnknown: false, outcome: { kind: 'updated', details: null }, noted: noted(after) },
  );

describe('what a call has left', () => {
  const kept = { update: { articleId: 'a1', title: 'A & B' }, image: { ...IMAGE, title: 'Before' } };

  it.each([
    ['as sent', {}, true],
    ['with entities', { title: 'A &amp; B' }, true],
    ['with numbers of characters', { title: ' A &#x26; B' }, true],
    ['with another title', { title: 'A and B' }, false],
    ['before the call', { modifiedAt: new Date(AT - 1) }, false],
    ['after the call', { modifiedAt: new Date(AT + 2_001) }, false],
    ['without a time', { modifiedAt: null }, false],
    ['in the next version', { versionNumber: 4, latestVersionNumber: 4 }, true],
    ['in the version after it', { versionNumber: 5, latestVersionNumber: 5 }, false],
    ['with another public version', { publicVersionNumber: 3 }, false],
    ['in another language', { languageCode: 'de' }, false],
  ])('is noted where a read shows it %s: %j is %s', (_name, members, isNoted) => {
    const article = articleAt(1, { title: 'A & B', ...members });
    expect(stateLeftBy(kept, article, PERIOD) !== null).toBe(isNoted);
    expect(stateLeftBy(kept, article, null)).toBeNull();
    expect(stateLeftBy({ ...kept, image: { ...kept.image, latestVersionNumber: 4 } }, article, PERIOD)).toBeNull();
  });

  it('is put back whatever the service has made of the text, and not once it was changed', () => {
    const after = articleAt(1, { content: '<p dir="auto">New</p>' });
    const one = target({ update: { content: 'New' }, before: articleAt(0), after });
    expect(revertOutcomeOf(one, after)).toBeNull();
    expect(revertOutcomeOf(one, { ...after, modifiedAt: new Date(AT + 9_000) })).toMatchObject({
      reason: 'CHANGED_SINCE',
      details: expect.stringMatching(
        /it was last changed at 2026-01-01T12:00:09\.000Z\. content: "New" was expected, and "<p dir=/u,
      ),
    });
  });

  it('does not count for the position, which siblings move', () => {
    const after = articleAt(1, { order: 7 });
    const one = target({ update: { order: 7 }, before: articleAt(0), after });
    expect(revertOutcomeOf(one, after)).toBeNull();
    expect(revertOutcomeOf(one, { ...after, order: 8 })).toMatchObject({ reason: 'CHANGED_SINCE' });
  });

  it('counts for several items only where nobody has changed the text between them', () => {
    const first = articleAt(1, { content: 'rewritten' });
    const earlier = target({ update: { content: 'New' }, before: articleAt(0), after: first });
    const last = articleAt(3, { title: 'New', content: 'rewritten' });
    const later = target({ update: { title: 'New' }, before: first, after: last });
    expect(revertOutcomeOf(mergeTargets(earlier, later), last)).toBeNull();
    const edited = articleAt(2, { content: 'By an editor' });
    const after = articleAt(3, { title: 'New', content: 'By an editor' });
    const afterEdit = target({ update: { title: 'New' }, before: edited, after });
    expect(revertOutcomeOf(mergeTargets(earlier, afterEdit), after)).toMatchObject({ reason: 'CHANGED_SINCE' });
    const overwrites = target({ update: { content: 'Newer' }, before: edited, after });
    expect(revertOutcomeOf(mergeTargets(earlier, overwrites), after)).toBeNull();
  });
});
