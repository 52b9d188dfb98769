import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { print } from '../../../../test/support/figures.ts';
import { apolloClient } from './libraries/apollo-client.ts';
import { clientPreset } from './libraries/client-preset.ts';
import { gqlTada } from './libraries/gql-tada.ts';
import { graphqlRequest } from './libraries/graphql-request.ts';
import { relay } from './libraries/relay.ts';
import { urql } from './libraries/urql.ts';
import { urqlReact } from './libraries/urql-react.ts';
import { compatibilityPage } from './page.ts';
import { type LibraryResult, runLibrary } from './run-library.ts';

/*
 * `npm run compatibility`: runs the client libraries against the gateway, and writes docs/reference/compatibility.md. With
 * `--check` nothing is written, and a page that differs from the run fails. A client that fails always does.
 */
const PAGE = 'docs/reference/compatibility.md';

async function runAll(): Promise<readonly LibraryResult[]> {
  const results: LibraryResult[] = [];
  for (const library of [apolloClient, urql, urqlReact, relay, graphqlRequest, gqlTada, clientPreset]) {
    const result = await runLibrary(library);
    results.push(result);
    for (const [title, message] of result.failures) {
      print(`${result.name}, ${title}: ${message}`);
      process.exitCode = 1;
    }
  }
  return results;
}

const page = compatibilityPage(await runAll());
if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page);
} else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) {
  print(`${PAGE} is not what the clients did: run npm run compatibility`);
  process.exitCode = 1;
}
