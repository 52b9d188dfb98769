import { createRelayEnvironment } from '../../relay/relay-environment.ts';
import { compileForRelay } from '../../relay/relay-program.ts';
import { runWithRelay } from '../../relay/run-with-relay.ts';
import type { Library } from '../library.ts';

export const relay: Library = {
  name: 'Relay',
  setup: 'the compiler writes the artifacts, and the runtime executes them',
  packages: ['relay-compiler', 'relay-runtime'],
  types: 'relay.ts',
  async open({ url, token }, documents, folder) {
    const load = await compileForRelay(documents, folder);
    const environment = createRelayEnvironment(url, token);
    return {
      run: async (name, variables) => runWithRelay(environment, { request: await load(name), variables }),
    };
  },
};
