import { globSync, readFileSync } from 'node:fs';
import { type DocumentNode, parse, separateOperations } from 'graphql';

const read = (path: string): string => readFileSync(path, 'utf8');

/** The answer that the README shows under its mutation. */
export const readmeAnswer = JSON.parse(blockOf(read('README.md'), 'json'));

/** Client libraries want a name where the README has none. */
const readmeMutation = blockOf(read('README.md'), 'graphql').replace(/^mutation \{/u, 'mutation Readme {');

const pageDocuments = globSync('console/src/**/*.graphql').sort().map(read).join('\n');

/** The documents that every client runs: the README's, those of the console, some about caches, and an update. */
export const documents = [
  readmeMutation,
  pageDocuments,
  read('test/clients/cache.graphql'),
  read('test/clients/updates.graphql'),
].join('\n');

/** The names of the operations of the console. */
export const pageOperations = Object.keys(separateOperations(parse(pageDocuments)));

/** Finds an operation of documents by its name, with the fragments that it needs. */
export function operationsOf(texts: string): (name: string) => DocumentNode {
  const operations = separateOperations(parse(texts));
  return (name) => {
    const operation = operations[name];
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    return operation;
  };
}

/** An operation of the documents that every client runs. */
export const operationOf = operationsOf(documents);

function blockOf(page: string, language: string): string {
  const text = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'su').exec(page)?.[1];
  if (text === undefined) throw new Error(`The page has no block of ${language}.`);
  return text;
}
