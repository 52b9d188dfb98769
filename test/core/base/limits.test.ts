import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The numbers named MAX_… in what handles requests which are no bounds of a request, and what each is. */
const NO_BOUNDS = [
  'src/graphql/execution/documents/documents.ts MAX_SHARE_OF_CACHE', // of the bytes on the page
  'src/graphql/execution/execution.ts MAX_NAME', // logs
  'src/graphql/execution/execution.ts MAX_SHORT_TICKS', // turns of the event loop
  'src/graphql/execution/executor/coerce-variables.ts MAX_QUOTED_LENGTH', // which values messages quote
  'src/graphql/execution/operation-errors.ts MAX_LOCATIONS', // within the size of an error
  'src/graphql/schema/reader-groups/access-scopes.ts MAX_CATEGORIES', // which of two ways loads them
  'src/server/auth/client-auth.ts MAX_PEM_BYTES', // a file of the operator
  'src/server/http/request-end.ts MAX_PATH', // logs
  'src/store/facade/articles.ts MAX_HITS', // the service's own page size
  'src/store/facade/team-accounts.ts MAX_TAKE', // a page size
];

const sources = (folders: string) =>
  globSync(`src/${folders}/**/*.ts`).map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('the bounds of requests', () => {
  it('all stand in core/base/limits.ts: what handles requests has no other MAX_…', () => {
    const named = sources('{graphql,mcp,server/auth,server/http,store/facade}').flatMap(({ file, text }) =>
      [...text.matchAll(/^(?:export )?const (MAX_\w+) =/gmu)].map(([, name]) => `${file} ${name}`),
    );
    expect(named.sort()).toEqual(NO_BOUNDS);
  });

  it('have names: no semaphore and no count per minute is made with a number', () => {
    const unnamed = sources('**').flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:mostOf|new RateWindows)\([\d_]{2,}|\b(?:total|perKey): [\d_]{2,}/gu)].map(
        ([use]) => `${file} ${use}`,
      ),
    );
    expect(unnamed).toEqual([]);
  });
});
