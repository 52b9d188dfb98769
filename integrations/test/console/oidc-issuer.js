import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

// JavaScript, since oidc-provider has no types of its own.

const SCOPE = 'read articles:write articles:publish groups:write';

/**
 * Starts an issuer of OpenID Connect, whose only person, ada, signs in by one button. The console's public client is
 * registered once its address is known.
 */
export async function openOidcIssuer(audience) {
  const behaviour = { seconds: 300, audience, error: null, isAway: false };
  let provider = null;
  let grants = 0;
  let listener = null;
  const server = createServer((request, response) => listener(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'key' };

  const answerInteraction = async (request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html');
      response.end('<link rel="icon" href="data:,"><form method="post"><button>Continue as ada</button></form>');
      return;
    }
    const result = behaviour.error ?? { login: { accountId: 'ada' } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

  return {
    issuer,
    behaviour,
    jwksUrl: `${issuer}/jwks`,
    grants: () => grants,
    register(redirectUri) {
      provider = new Provider(issuer, configurationOf({ redirectUri, jwk, behaviour }));
      provider.on('grant.success', () => {
        grants += 1;
      });
      const callback = provider.callback();
      listener = (request, response) => {
        if (behaviour.isAway) return response.writeHead(503).end();
        return request.url.startsWith('/interaction/')
          ? answerInteraction(request, response)
          : callback(request, response);
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const configurationOf = ({ redirectUri, jwk, behaviour }) => ({
  clients: [
    {
      client_id: 'console',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
    },
  ],
  jwks: { keys: [jwk] },
  cookies: { keys: ['of this test'] },
  scopes: ['openid', ...SCOPE.split(' ')],
  clientBasedCORS: () => true,
  ttl: { AccessToken: () => behaviour.seconds, Grant: 3_600, IdToken: 300, Interaction: 3_600, Session: 3_600 },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope(`openid ${SCOPE}`);
    grant.addResourceScope(behaviour.audience, SCOPE);
    await grant.save();
    return grant;
  },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => behaviour.audience,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, audience) => ({
        scope: SCOPE,
        audience,
        accessTokenTTL: behaviour.seconds,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
