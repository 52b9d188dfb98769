import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { type ClientAuthOptions, openClientAuth } from '../../../src/server/auth/client-auth.ts';
import { type FaultyService, json, openFaultyService } from '../../support/faulty-service.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { AUDIENCE, ISSUER, type JwtIssuer, openJwtIssuer } from '../../support/jwt-issuer.ts';
import { openBackendTo } from '../../support/rest-scene.ts';

/** The token that the gateway holds for its clients. */
export const GATEWAY_TOKEN = 'the-key-of-the-gateway';

export async function clientsOf(options: Partial<ClientAuthOptions> & Pick<ClientAuthOptions, 'keys'>) {
  const clients = await openClientAuth({
    issuer: ISSUER,
    audience: AUDIENCE,
    scopeClaim: 'scope',
    userAgent: 'kb-gateway/test',
    apiToken: GATEWAY_TOKEN,
    log: silentLog,
    ...options,
  });
  if (!clients.ok) throw new Error(clients.error);
  return clients.value;
}

export interface Scene {
  readonly issuer: JwtIssuer;
  readonly service: FaultyService;
  readonly gateway: Gateway;
}

/** A gateway in front of a recording service, for clients with a JWT. Everything is closed after the test. */
export async function openScene(options: Partial<ClientAuthOptions> = {}): Promise<Scene> {
  const issuer = await openJwtIssuer();
  const service = await openFaultyService();
  const updated = { article_id: 'a1', success: true };
  service.on('PUT /v2/Articles/bulkupdate', json(200, { data: [updated], success: true, errors: [] }));
  service.on('GET /v2/ProjectVersions', json(200, { data: [], success: true, errors: [] }));
  const gateway = await startGateway({
    backend: openBackendTo(service),
    local: false,
    token: '',
    clients: await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, ...options }),
  });
  onTestFinished(async () => {
    await gateway.close();
    await service.close();
    await issuer.close();
  });
  return { issuer, service, gateway };
}
