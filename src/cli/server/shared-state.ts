import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Backend } from '../../backend/backend.ts';
import type { Log } from '../../base/log.ts';
import { err } from '../../base/result.ts';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../domain/metrics.ts';
import type { SharedState } from '../../state/shared/shared-state.ts';

/** Opens what the gateways in front of the service share; null where this gateway shares nothing. */
export async function openConfiguredSharedState(
  { state, backend, host, port }: Config,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): Promise<SharedState | null> {
  if (!state.isShared || backend.kind !== 'rest') return null;
  // Most gateways in front of a service need no module of a database.
  const { openSharedState } = await import('../../state/shared/open-shared-state.ts');
  const { url, setting } = state;
  const name = port === 0 ? randomUUID() : `${hostname()} ${host}:${port}`;
  return openSharedState({ url, setting, name, writeMs: backend.timeoutMs, log, metrics });
}

/** With `closed`, a gateway is not ready while group writes fail for lack of the state. The reason names no address. */
export const withSharedState = (backend: Backend, shared: SharedState, onFailure: 'closed' | 'open'): Backend => ({
  ...backend,
  checkReady: async () =>
    onFailure === 'closed' && shared.problem() !== null
      ? err('The state that the gateways share cannot be used.')
      : backend.checkReady(),
  // The gateway leaves the others once its writes have ended.
  close: () => backend.close().finally(() => shared.close()),
});
