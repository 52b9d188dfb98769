import { describe, expect, it } from 'vitest';
import { createRouter } from '../../src/facade/router.ts';
import { ROUTES } from '../../src/facade/routes.ts';

const router = createRouter(ROUTES);

/** The template that a path is taken for, and its parameters in their order. */
function found(pathname: string) {
  const match = router(pathname);
  if (typeof match === 'string') return match;
  const [route] = match.routes.values();
  return [route?.path, ...match.params.values()];
}

describe('createRouter', () => {
  it.each([
    ['/v2/Articles/bulkupdate', ['/v2/Articles/bulkupdate']],
    ['/v2/Readers/groups', ['/v2/Readers/groups']],
    ['/v2/Readers/groups/g', ['/v2/Readers/groups/{groupId}', 'g']],
    ['/v2/Articles/a', ['/v2/Articles/{articleId}', 'a']],
    ['/v2/Articles/a/fr', ['/v2/Articles/{articleId}/{langCode}', 'a', 'fr']],
    ['/v2/Articles/a/versions', ['/v2/Articles/{articleId}/versions', 'a']],
    ['/v2/Articles/a/versions/3', ['/v2/Articles/{articleId}/versions/{versionNumber}', 'a', '3']],
    ['/v2/Articles/a/fr/versions', ['/v2/Articles/{articleId}/{langCode}/versions', 'a', 'fr']],
    ['/v2/Articles/a/versions/versions', ['/v2/Articles/{articleId}/versions/{versionNumber}', 'a', 'versions']],
    ['/v2/Articles/a/fr/versions/3', ['/v2/Articles/{articleId}/{langCode}/versions/{versionNumber}', 'a', 'fr', '3']],
    ['/v2/ProjectVersions/v/categories', ['/v2/ProjectVersions/{projectVersionId}/categories', 'v']],
  ])('takes %s for its route: literal segments win over parameters', (pathname, expected) => {
    expect(found(pathname)).toEqual(expected);
  });

  it.each(['/v2/readers/groups/G', '/V2/READERS/GROUPS/G', '/v2/Readers/groups/G/', '/v2/%52eaders/groups/G'])(
    'takes %s too: case, an encoded letter and a slash at the end make no difference',
    (pathname) => {
      expect(found(pathname)).toEqual(['/v2/Readers/groups/{groupId}', 'G']);
    },
  );

  it.each([
    ['%2F', '/'],
    ['a%20b', 'a b'],
    ['%E7%B5%84', '組'],
    ['%2e%2e', '..'],
    ['__proto__', '__proto__'],
  ])('decodes the parameter %s after the path was split', (segment, value) => {
    expect(found(`/v2/Readers/groups/${segment}`)).toEqual(['/v2/Readers/groups/{groupId}', value]);
  });

  it.each(['/v2/%', '/v2/Readers/groups/%zz', '/v2/Readers/groups/%ff'])('calls %s malformed', (pathname) => {
    expect(found(pathname)).toBe('malformed');
  });

  it.each(['/', '/v2', '/v2/', '/v2/nope', '/v2//Readers', '/v2/Articles//fr', '/v2/Readers/groups//', '/v3/Readers'])(
    'knows nothing at %s',
    (pathname) => {
      expect(found(pathname)).toBe('unknown');
    },
  );
});
