import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ARTICLE_MEMBERS, isListed } from '../../../src/core/articles/bulk-updates.ts';
import { encodeListedArticle, listedFieldsOf } from '../../../src/service/v2/articles.ts';
import { payloadOf } from '../../../src/service/v2/envelope.ts';
import { article, overTheWire } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const ALL = [...Object.keys(ARTICLE_MEMBERS).filter(isListed), 'publicVersionNumber', 'modifiedAt', 'status'];

it('finds all properties in the published entry', () => {
  const [entry] = [payloadOf(fixture('articles').body)].flat();
  expect([...listedFieldsOf(entry)]).toEqual(ALL);
});

it('finds all properties in the entries of the store', () => {
  fc.assert(
    fc.property(article, (listed) => {
      const reported = ALL.filter((name) => (name !== 'modifiedAt' && name !== 'status') || listed[name] !== null);
      expect([...listedFieldsOf(overTheWire(encodeListedArticle(listed)))]).toEqual(reported);
    }),
  );
});

it.each([null, [], 'a', {}, { id: 'a', title: 'A', hidden: false }])('finds none in %j', (entry) => {
  expect([...listedFieldsOf(entry)]).toEqual([]);
});
