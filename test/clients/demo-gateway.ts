import { silentLog } from '../../src/core/base/log.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway.ts';

/** Where a client finds a gateway, and the API token that it sends. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

export interface DemoGateway extends Gateway {
  readonly target: Target;
}

export type DemoGatewayOptions = Pick<GatewayOptions, 'trustedTexts' | 'trustedOnly' | 'onRequest' | 'readConsole'>;

/** A gateway over a new store with the demo knowledge base. */
export async function startDemoGateway(options: DemoGatewayOptions = {}): Promise<DemoGateway> {
  const token = 'token';
  const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [token], log: silentLog });
  await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
  const gateway = await startGateway({ ...options, backend, local: true, token });
  return { ...gateway, target: { url: `${gateway.url}/graphql`, token } };
}
