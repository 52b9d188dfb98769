import { openRestBackend } from '../../src/backend/rest/rest-backend.ts';
import { silent } from '../../src/domain/log.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

export interface Gateways {
  /** Over the embedded store, which it serves as `/v2` too, */
  readonly local: Gateway;
  /** and over that `/v2`. */
  readonly rest: Gateway;
  close(): Promise<void>;
}

export async function startGateways(): Promise<Gateways> {
  const local = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  const backend = openRestBackend({
    baseUrl: local.url,
    timeoutMs: 10_000,
    bulkSize: 100,
    maxReadCalls: 60,
    log: silent,
  });
  const rest = await startGateway({ backend, local: false, token: TOKEN });
  return {
    local,
    rest,
    close: async () => {
      await rest.close();
      await local.close();
    },
  };
}
