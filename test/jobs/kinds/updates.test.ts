import { describe, expect, it } from 'vitest';
import type { Article } from '../../../src/core/articles/articles.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { compareWithUpdate } from '../../../src/jobs/kinds/updates.ts';

const article: Article = {
  articleId: 'a',
  languageCode: 'en',
  projectVersionId: 'v',
  versionNumber: 1,
  pinned: false,
  latestVersionNumber: 1,
  title: 'Title',
  content: 'text',
  htmlContent: null,
  categoryId: 'c',
  slug: null,
  hidden: true,
  order: 2,
  translationStatus: 'TRANSLATED',
  contentType: 'MARKDOWN',
  modifiedAt: null,
  status: 'DRAFT',
  publicVersionNumber: null,
  url: null,
};

const { content: _content, htmlContent: _html, categoryId: _category, ...listed } = article;

describe('compareWithUpdate', () => {
  it.each<[string, Article | null, Omit<ArticleUpdate, 'articleId'>, string]>([
    ['all members', article, { title: 'Title', content: 'text', categoryId: 'c', hidden: true, order: 2 }, 'AS_ASKED'],
    ['no member at all', article, {}, 'AS_ASKED'],
    ['one member that differs', article, { title: 'Title', order: 3 }, 'DIFFERS'],
    ['a status that differs', article, { translationStatus: 'NONE' }, 'DIFFERS'],
    ['a text that differs', article, { content: 'other' }, 'DIFFERS'],
    ['a text that was not read', listed, { content: 'text' }, 'NOT_READABLE'],
    ['a category that was not read', listed, { categoryId: 'c' }, 'NOT_READABLE'],
    ['what differs, beside what was not read', listed, { categoryId: 'c', hidden: false }, 'DIFFERS'],
    ['an article that is not there', null, { title: 'Title' }, 'NOT_READABLE'],
    ['the source, which no read gives', article, { title: 'Title', source: 's' }, 'NOT_READABLE'],
    ['HTML of an editor that stores none', article, { htmlContent: '<p>' }, 'NOT_READABLE'],
    ['both texts, of which content counts', article, { content: 'text', htmlContent: '<p>' }, 'AS_ASKED'],
    ['null, whose meaning the service does not tell', article, { title: null }, 'DIFFERS'],
    ['HTML that is null', { ...article, contentType: 'WYSIWYG', htmlContent: '<p>' }, { htmlContent: null }, 'DIFFERS'],
    ['HTML', { ...article, contentType: 'WYSIWYG', htmlContent: '<p>' }, { htmlContent: '<p>' }, 'AS_ASKED'],
  ])('sees %s', (...[, seen, update, comparison]) => {
    expect(compareWithUpdate(seen, { articleId: 'a', ...update })).toBe(comparison);
  });

  const {
    articleId: _a,
    languageCode: _l,
    versionNumber: _v,
    ifRevision: _r,
    ...others
  } = {
    ...{
      articleId: 'a',
      languageCode: 'de',
      versionNumber: 9,
      ifRevision: 'r',
      title: 'x',
      content: 'x',
      htmlContent: 'x',
    },
    ...{ categoryId: 'x', hidden: false, translationStatus: 'NONE', source: 'x', order: 9 },
  } satisfies Required<ArticleUpdate>;

  it.each(Object.entries(others))('never takes an article for as asked whose %s is another', (name, value) => {
    for (const seen of [article, { ...article, contentType: 'WYSIWYG' as const }])
      expect(compareWithUpdate(seen, { articleId: 'a', [name]: value })).not.toBe('AS_ASKED');
  });
});
