import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The folder of each layer in which features have files. */
const LAYERS = {
  domain: 'src/core',
  schema: 'src/graphql/schema',
  facade: 'src/store/facade',
  v2: 'src/service/v2',
  rest: 'src/service',
  local: 'src/store',
} as const;

type Layer = keyof typeof LAYERS;

const EVERY_LAYER: readonly Layer[] = ['domain', 'schema', 'facade', 'v2', 'rest', 'local'];

/** The resources of which the domain tells no more than what they are, in a file with others. */
const BEHIND_THE_DOMAIN = EVERY_LAYER.filter((layer) => layer !== 'domain');

/** The layers of each feature. */
const FEATURES: Readonly<Record<string, readonly Layer[]>> = {
  'access-scopes': ['domain', 'schema', 'v2'],
  'article-creations': EVERY_LAYER,
  'article-lists': ['rest', 'local'],
  'article-outcomes': ['domain', 'schema'],
  'article-update-jobs': ['domain', 'schema'],
  articles: EVERY_LAYER,
  'bulk-updates': EVERY_LAYER,
  caller: ['domain', 'schema'],
  categories: BEHIND_THE_DOMAIN,
  errors: ['domain', 'v2', 'local'],
  'field-changes': ['domain', 'schema'],
  'project-versions': BEHIND_THE_DOMAIN,
  publications: EVERY_LAYER,
  'rate-limit': ['domain', 'schema', 'v2', 'rest'],
  readers: BEHIND_THE_DOMAIN,
  'reader-groups': EVERY_LAYER,
  'text-search': ['v2', 'rest'],
  'team-accounts': BEHIND_THE_DOMAIN,
  // The service replaces whole groups: `reader-group-writes.ts` reads, merges and writes them.
  'reader-group-updates': ['domain', 'schema'],
};

const filesOf = (layer: Layer, pattern: string): readonly string[] => globSync(join(LAYERS[layer], '**', pattern));

const layers = Object.keys(LAYERS).filter((name): name is Layer => name in LAYERS);

describe('a feature', () => {
  it.each(Object.entries(FEATURES))('has a file of its name in exactly these layers: %s', (feature, expected) => {
    const found = layers.filter((layer) => filesOf(layer, `${feature}.ts`).length > 0);
    expect(found).toEqual(layers.filter((layer) => expected.includes(layer)));
  });

  it('is listed here when two layers have a file of its name', () => {
    const names = layers.flatMap((layer) => [...new Set(filesOf(layer, '*.ts').map((file) => basename(file, '.ts')))]);
    const shared = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    expect([...shared].sort()).toEqual(Object.keys(FEATURES).sort());
  });
});
