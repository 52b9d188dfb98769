import { silentLog } from '../../src/core/base/log.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

export interface Gateways {
  /** A gateway over the embedded store, which serves `/v2` too. */
  readonly local: Gateway;
  /** A gateway over that `/v2`. */
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
    log: silentLog,
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
