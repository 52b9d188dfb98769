import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchPath } from '../../../src/store/facade/routes.ts';

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** The paths that the backend in front of the service reads or writes, as its source has them, with their methods. */
const PATHS: Readonly<Record<string, readonly Method[]>> = {
  "'ProjectVersions'": ['GET'],
  "'ProjectVersions', {id}, 'articles'": ['GET'],
  "'ProjectVersions', {id}, 'categories'": ['GET'],
  "'ProjectVersions', {id}, {id}": ['GET'],
  "'Articles', {id}, {id}": ['GET'],
  "'Articles', {id}, {id}, 'versions'": ['GET'],
  "'Articles', {id}, {id}, 'versions', {id}": ['GET'],
  "'Articles', {id}, 'fork'": ['PUT'],
  "'Articles', 'bulkupdate'": ['PUT'],
  "'Articles', 'bulkpublish', {id}": ['POST', 'DELETE'],
  "'Articles'": ['POST'],
  "'Articles', 'bulkcreate'": ['POST'],
  "'Categories'": ['POST'],
  "'Categories', 'bulkcreate'": ['POST'],
  "'Readers'": ['GET'],
  "'Readers', 'groups'": ['GET'],
  "'Readers', 'groups', {id}": ['GET', 'PUT'],
  "'Teams'": ['GET'],
  "'Teams', {id}": ['GET'],
};

/** The paths that begin with a constant of their file. */
const BY_CONSTANT: Readonly<Record<string, readonly string[]>> = {
  "...path, 'versions', {id}": ["'Articles', {id}, {id}, 'versions', {id}"],
  path: ["'Articles'", "'Categories'"],
  "path, 'bulkcreate'": ["'Articles', 'bulkcreate'", "'Categories', 'bulkcreate'"],
};

/** The paths without a route, each with its reason. */
const WITHOUT_ROUTE: Readonly<Record<string, string>> = {};

const ID = String.raw`\{ id: (?:${'`[^`]*`'}|[^}])+ \}`;
const PATH = new RegExp(
  String.raw`\[\s*((?:'[A-Z][a-z]\w+'|\.\.\.path|path)(?:,\s*(?:'[a-z]\w+'|${ID}))*),?\s*\]`,
  'gu',
);

/** The paths in a source. */
const pathsIn = (source: string): readonly string[] =>
  [...source.matchAll(PATH)].flatMap(([, segments = '']) => {
    const path = segments.replaceAll(new RegExp(ID, 'gu'), '{id}').replaceAll(/,\s*/gu, ', ');
    return BY_CONSTANT[path] ?? [path];
  });

const urlOf = (path: string): string => `/v2/${path.replaceAll("'", '').replaceAll('{id}', 'x').replaceAll(', ', '/')}`;

describe('the paths of the backend in front of the service', () => {
  const files = globSync('src/service/{calls,reads,writes,read-cache,merging}/*.ts');
  const sources = files.map((file) => readFileSync(file, 'utf8'));

  it('are those of this table: a new one needs a route of the façade, or a reason', () => {
    expect([...new Set(sources.flatMap(pathsIn))].sort()).toEqual(Object.keys(PATHS).sort());
  });

  it('are all found in the source: the words that paths begin with are nowhere else', () => {
    const types = readFileSync('src/service/calls/service-call.ts', 'utf8');
    const words = [...types.matchAll(/^ {2}\| ('[A-Z]\w+')/gmu)].map(([, word]) => word);
    expect(words).toContain("'Articles'");
    const word = new RegExp(`.*(?:${words.join('|')}).*`, 'gu');
    const elsewhere = sources.flatMap((source) => source.replaceAll(PATH, '').match(word) ?? []);
    const expected = [
      ...words.map((one) => `  | ${one}`),
      // The constants of BY_CONSTANT, and what a scope compares.
      "  article: { path: 'Articles', staleReads: WRITES.createArticles.staleReads },",
      "  category: { path: 'Categories', staleReads: WRITES.createCategories.staleReads },",
      "const readScopeOf = ({ path }: ServiceCall): ReadScope => (path[0] === 'Readers' ? 'groups' : 'articles');",
    ];
    expect(elsewhere.sort()).toEqual(expected.sort());
  });

  it.each(Object.entries(PATHS).flatMap(([path, methods]) => methods.map((method) => [method, path] as const)))(
    'has a route of the façade for %s %s',
    (method, path) => {
      const isServed = matchPath(urlOf(path))?.routes.has(method) ?? false;
      expect(isServed || `${method} ${path}` in WITHOUT_ROUTE).toBe(true);
    },
  );
});
