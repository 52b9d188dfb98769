import { createQueryParams, queryNumber } from '../../src/store/facade/route-handler.ts';
import { matchPath } from '../../src/store/facade/routes.ts';
import { describeTextReaders } from '../support/linear-texts.ts';

describeTextReaders('store', {
  functions: {
    'facade/routes.ts': [(text) => matchPath(`/v2/Articles/${encodeURIComponent(text.toWellFormed())}/versions`)],
    'facade/route-handler.ts': [
      (text) => queryNumber(createQueryParams(new URLSearchParams(text)), 'a', { min: 0, max: 1, defaultValue: 0 }),
      (text) => queryNumber(new Map([['a', text]]), 'a', { min: 0, max: 1, defaultValue: 0 }),
    ],
  },
  withoutLongTexts: [
    // Titles of at most 300 characters.
    'writes/creations.ts',
    'database/open-database.ts',
    'knowledge-base/file.ts',
  ],
});
