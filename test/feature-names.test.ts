import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The folders of each layer in which features have files. */
const LAYERS = {
  core: 'src/core{,/articles,/callers,/reader-groups}',
  schema: 'src/graphql/schema/**',
  facade: 'src/store/facade',
  v2: 'src/service/v2',
  service: 'src/service/{calls,read-cache,reads,recent-writes,writes}',
  store: 'src/store{,/import,/reads,/tables,/writes}',
} as const;

type Layer = keyof typeof LAYERS;

const EVERY_LAYER: readonly Layer[] = ['core', 'schema', 'facade', 'v2', 'service', 'store'];

/** The resources that core describes in a file with others. */
const BEHIND_CORE = EVERY_LAYER.filter((layer) => layer !== 'core');

/** The feature that has no mutation of its own. */
const BEHIND_SCHEMA = EVERY_LAYER.filter((layer) => layer !== 'schema');

/** The layers of each feature. */
const FEATURES: Readonly<Record<string, readonly Layer[]>> = {
  'access-scopes': ['core', 'schema', 'v2'],
  'article-lists': ['service', 'store'],
  'article-outcomes': ['core', 'schema'],
  'article-update-jobs': ['core', 'schema'],
  articles: EVERY_LAYER,
  'bulk-updates': EVERY_LAYER,
  caller: ['core', 'schema'],
  categories: BEHIND_CORE,
  // Those of articles and of categories, which core describes in a file each.
  creations: BEHIND_CORE,
  errors: ['core', 'v2', 'store'],
  'field-changes': ['core', 'schema'],
  forks: BEHIND_SCHEMA,
  'project-versions': BEHIND_CORE,
  publications: EVERY_LAYER,
  revisions: ['core', 'store'],
  'rate-limit': ['core', 'schema', 'v2', 'service'],
  readers: BEHIND_CORE,
  'reader-groups': EVERY_LAYER,
  'text-search': ['v2', 'service'],
  'team-accounts': BEHIND_CORE,
  // The service replaces whole groups: `reader-group-writes.ts` reads, merges and writes them.
  'reader-group-updates': ['core', 'schema'],
};

const filesOf = (layer: Layer, pattern: string): readonly string[] => globSync(join(LAYERS[layer], pattern));

const layers = Object.keys(LAYERS).filter((name): name is Layer => name in LAYERS);

describe('a feature', () => {
  it.each(Object.entries(FEATURES))('has a file of its name in exactly these layers: %s', (feature, expected) => {
    const found = layers.filter((layer) => filesOf(layer, `${feature}.ts`).length > 0);
    expect(found).toEqual(layers.filter((layer) => expected.includes(layer)));
  });

  it('is listed here when two layers have a file of its name', () => {
    const names = layers.flatMap((layer) => [...new Set(filesOf(layer, '*.ts').map((file) => basename(file, '.ts')))]);
    const shared = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    const unlisted = [...shared].filter((name) => !(name in FEATURES));
    expect(unlisted, `Add to FEATURES, with its layers: ${unlisted.join(', ')}`).toEqual([]);
  });
});
