import { globSync, readFileSync } from 'node:fs';

// Fails where two files of src export the same name: a word means one thing. Prints each such name with its files.

/** Operations on a resource, which have the same name in each adapter. */
const IN_EVERY_ADAPTER = new Set([
  'bulkUpdateArticles',
  'listArticles',
  'listProjectVersions',
  'listReaderGroups',
  'listReaders',
  'publishArticles',
  'readArticle',
  'readCategory',
  'readCategoryTree',
  'readReaderGroup',
  'unpublishArticles',
  'updateReaderGroup',
]);

const EXPORT = /^export (?:async )?(?:function\*?|class|const|type|interface) (\w+)/gmu;

const filesByName = new Map<string, string[]>();
for (const file of globSync('src/**/*.ts').sort()) {
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(EXPORT)) {
    filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  }
}

for (const [name, files] of filesByName) {
  if (files.length === 1 || IN_EVERY_ADAPTER.has(name)) continue;
  console.error(`${name} is exported by ${files.join(' and ')}: a name means one thing.`);
  process.exitCode = 1;
}
