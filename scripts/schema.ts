import { readFileSync, writeFileSync } from 'node:fs';
import { printPossibleTypes, printSchemaSdl } from '../src/graphql/schema/schema.ts';
import { printKnowledgeBaseJsonSchema } from '../src/store/knowledge-base/format.ts';

// Writes the schema files from the code; with --check, only reports whether they are current.
const files = {
  'schema.graphql': printSchemaSdl(),
  'possible-types.json': printPossibleTypes(),
  'knowledge-base.schema.json': printKnowledgeBaseJsonSchema(),
};

for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} differs from the code: run npm run schema`);
    process.exitCode = 1;
  }
}
