import { describe, expect, it } from 'vitest';
import { matchPath } from '../../../src/store/facade/routes.ts';

/** The template that matches a path, and the parameters in their order. */
function matchedTemplate(pathname: string) {
  const match = matchPath(pathname);
  return match && [match.path, ...match.params.values()];
}

describe('matchPath', () => {
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
  ])('matches %s: literal segments take precedence over parameters', (pathname, expected) => {
    expect(matchedTemplate(pathname)).toEqual(expected);
  });

  it.each(['/v2/readers/groups/G', '/V2/READERS/GROUPS/G', '/v2/Readers/groups/G/'])(
    'matches %s: case and a trailing slash make no difference',
    (pathname) => {
      expect(matchedTemplate(pathname)).toEqual(['/v2/Readers/groups/{groupId}', 'G']);
    },
  );

  it.each([
    ['%2F', '/'],
    ['a%20b', 'a b'],
    ['%E7%B5%84', '組'],
    ['%2e%2e', '..'],
    ['__proto__', '__proto__'],
  ])('decodes the parameter %s after the path was split', (segment, value) => {
    expect(matchedTemplate(`/v2/Readers/groups/${segment}`)).toEqual(['/v2/Readers/groups/{groupId}', value]);
  });

  it.each(['/', '/v2', '/v2/', '/v2/nope', '/v2//Readers', '/v2/Articles//fr', '/v2/Readers/groups//', '/v3/Readers'])(
    'finds no route for %s',
    (pathname) => {
      expect(matchedTemplate(pathname)).toBeNull();
    },
  );
});
