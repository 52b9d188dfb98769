import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeArticle,
  decodeArticleVersion,
  decodeListedArticle,
  encodeArticle,
  encodeArticleVersion,
  encodeListedArticle,
} from '../../../src/service/v2/articles.ts';
import { payloadOf } from '../../../src/service/v2/envelope.ts';
import { article, overTheWire } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const ID = '7b4d7c2e-0d1c-4b1b-9c55-1f4c62c0a001';

describe('decodeArticle', () => {
  it('undoes encodeArticle, for the requested language', () => {
    fc.assert(
      fc.property(article, fc.boolean(), (given, isFallback) => {
        const isComplete = given.contentType === 'MARKDOWN' || (given.content && given.htmlContent);
        const read = isComplete ? given : { ...given, content: 'Text', htmlContent: '<p>Text</p>' };
        const payload = overTheWire(encodeArticle({ article: read, isFallback }));
        expect(decodeArticle(payload, read)).toEqual({ article: read, isFallback });
      }),
    );
  });

  it('reads the published article: fall-back content, no position, no date', () => {
    const read = decodeArticle(payloadOf(fixture('article').body), { languageCode: 'fr', pinned: true });
    expect(read).toEqual({
      isFallback: true,
      article: {
        articleId: ID,
        languageCode: 'fr',
        projectVersionId: 'a51f0f5d-9b0a-4c7e-9d0e-6a4f3f2b7001',
        versionNumber: 2,
        pinned: true,
        latestVersionNumber: 3,
        title: 'Install',
        content: '# Install',
        htmlContent: '<h1>Install</h1>',
        categoryId: 'e0b7c1de-3d54-4a0e-8d4b-7c1a2b3d4001',
        slug: 'install',
        hidden: true,
        order: null,
        translationStatus: 'IN_PROGRESS',
        contentType: 'WYSIWYG',
        modifiedAt: null,
        status: 'PUBLISHED',
        publicVersionNumber: 2,
        url: 'https://docs.example.com/install',
        description: '',
        createdAt: null,
        createdBy: 'u',
        authors: [{ userId: 'u', firstName: 'A', lastName: 'B' }],
      },
    });
  });

  it.each([
    { content_type: 2, content: '', html_content: '<p>x</p>', texts: { content: '<p>x</p>', htmlContent: '<p>x</p>' } },
    { content_type: 2, content: '[]', html_content: '<p>x</p>', texts: { content: '[]', htmlContent: '<p>x</p>' } },
    { content_type: null, html_content: '<p>x</p>', texts: { content: '<p>x</p>', htmlContent: '<p>x</p>' } },
    { content_type: 1, content: '<p>x</p>', texts: { content: '<p>x</p>', htmlContent: '<p>x</p>' } },
    { content_type: 1, content: null, html_content: '', texts: { content: null, htmlContent: '' } },
    { content_type: 0, content: '', html_content: '<p></p>', texts: { content: '', htmlContent: '<p></p>' } },
  ])('finds the text of an article in either member: %j', ({ texts, ...members }) => {
    expect(decodeArticle({ id: 'a', ...members }, { languageCode: 'en', pinned: false })?.article).toMatchObject(texts);
  });

  it.each([{}, { id: '' }, { id: null, title: null }])('does not read %j', (payload) => {
    expect(decodeArticle(payload, { languageCode: 'en', pinned: false })).toBeNull();
  });

  it.each([
    ['id', { id: 5 }],
    ['title', { title: 5 }],
    ['hidden', { hidden: 'no' }],
    ['order', { order: 1.5 }],
    ['translation_option', { translation_option: {} }],
    ['authors[1].first_name', { authors: [{ id: 'u' }, { id: 'v', first_name: [] }] }],
  ])('names the member %s where it has another type', (place, members) => {
    const read = () => decodeArticle({ id: 'a', ...members }, { languageCode: 'en', pinned: false });
    expect(read).toThrow(expect.objectContaining({ place }));
  });

  it.each([
    [0, 'NONE'],
    ['1', 'NEEDS_TRANSLATION'],
    [2, 'TRANSLATED'],
    ['3', 'IN_PROGRESS'],
    [4, 'UNRECOGNIZED'],
    ['', null],
    [null, null],
  ])('reads translation_option %j as %s', (translation_option, status) => {
    const read = decodeArticle({ id: 'a', translation_option }, { languageCode: 'en', pinned: false });
    expect(read?.article.translationStatus).toBe(status);
  });
});

it.each([
  [0, 'DRAFT'],
  [3, 'PUBLISHED'],
  [1, 'UNRECOGNIZED'],
  [undefined, null],
])('reads status %j as %s', (status, expected) => {
  const read = decodeListedArticle({ id: 'a', status }, { projectVersionId: 'v', languageCode: 'en' });
  expect(read?.article.status).toBe(expected);
});

it('reads a public version of 0 as none, and leaves out authors that have no ID', () => {
  const entry = {
    id: 'a',
    public_version: 0,
    authors: [{ id: 'u', email_id: 'u@example.com' }, { id: '' }],
  };
  const read = decodeArticle(entry, { languageCode: 'en', pinned: false });
  expect(read?.article).toMatchObject({
    publicVersionNumber: null,
    authors: [{ userId: 'u', firstName: null, lastName: null }],
  });
  expect(JSON.stringify(read)).not.toContain('example.com');
});

describe('decodeListedArticle', () => {
  it('undoes encodeListedArticle: without content and category, at its latest version', () => {
    fc.assert(
      fc.property(article, (listed) => {
        const { content: _, htmlContent: __, categoryId: ___, ...members } = listed;
        const { description: ____, createdAt: _____, createdBy: ______, authors: _______, ...rest } = members;
        const expected = { ...rest, pinned: false, versionNumber: listed.latestVersionNumber };
        const entry = overTheWire(encodeListedArticle(listed));
        expect(decodeListedArticle(entry, listed)).toEqual({ article: expected, named: 'requested' });
      }),
    );
  });

  it('reads the published entry', () => {
    const [entry] = [payloadOf(fixture('articles').body)].flat();
    expect(decodeListedArticle(entry, { projectVersionId: 'v', languageCode: 'en' })?.article).toMatchObject({
      articleId: ID,
      languageCode: 'en',
      versionNumber: 3,
      order: 4,
      translationStatus: 'NEEDS_TRANSLATION',
      modifiedAt: new Date('2024-05-06T07:08:09.123Z'),
    });
  });

  it.each([
    ['FR', 'requested', 'FR'],
    ['en', 'other', 'fr'],
    [null, 'none', 'fr'],
    ['', 'none', 'fr'],
    [undefined, 'none', 'fr'],
  ])('takes the language asked for, whatever the entry names: %j', (code, named, languageCode) => {
    const entry = { id: 'a', language_code: code };
    const read = decodeListedArticle(entry, { projectVersionId: 'v', languageCode: 'fr' });
    expect(read).toMatchObject({ named, article: { languageCode } });
  });
});

describe('decodeArticleVersion', () => {
  it('reads the entries of the published list', () => {
    expect([payloadOf(fixture('article-versions').body)].flat().map(decodeArticleVersion)).toEqual([
      {
        versionNumber: 1,
        createdAt: new Date('2024-01-02T03:04:05Z'),
        modifiedAt: new Date('2024-01-02T01:04:05Z'),
        status: 'published',
        baseVersionNumber: null,
      },
      {
        versionNumber: 2,
        createdAt: new Date('2024-01-03T00:00:00Z'),
        modifiedAt: null,
        status: 'draft',
        baseVersionNumber: 1,
      },
    ]);
  });

  it.each(['draft', 'published', '7', null])('undoes encodeArticleVersion for the status %s', (status) => {
    const version = { versionNumber: 4, createdAt: new Date(0), modifiedAt: null, status, baseVersionNumber: 2 };
    expect(decodeArticleVersion(overTheWire(encodeArticleVersion(version)))).toEqual(version);
  });

  it('does not read an entry without a number', () => {
    expect(decodeArticleVersion({})).toBeNull();
  });
});
