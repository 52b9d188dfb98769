import type { ClientsConfig } from './clients.ts';
import { type Proxies, proxyUrlFor } from './proxy.ts';
import type { SettingReader } from './setting-reader.ts';

/** The issuer at which the console signs people in. `proxyUrl` may hold a password. */
export interface ConsoleSignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** The `aud` of the JWTs that the gateway accepts. */
  readonly audience: string;
  readonly proxyUrl: string | null;
  /** The name of the issuer's setting in messages. */
  readonly setting: string;
}

/**
 * Reads the settings of the console's sign-in; null where people type a token. The gateway must accept the JWTs of that
 * issuer, so client authentication has to name it, too.
 */
export function readConsoleSignIn(
  settings: SettingReader,
  clients: ClientsConfig | null,
  proxies: Proxies,
): ConsoleSignInConfig | null {
  const issuer = settings.get('CONSOLE_OIDC_ISSUER');
  const clientId = settings.get('CONSOLE_OIDC_CLIENT_ID');
  checkConsoleSignIn(settings);
  if (issuer === undefined || clientId === undefined || clients === null) return null;
  const { audience } = clients;
  const setting = settings.nameOf('CONSOLE_OIDC_ISSUER');
  return Object.freeze({ issuer, clientId, audience, proxyUrl: proxyUrlFor(issuer, proxies), setting });
}

function checkConsoleSignIn(settings: SettingReader): void {
  const issuer = settings.nameOf('CONSOLE_OIDC_ISSUER');
  const [hasIssuer, hasClient] = [settings.isSet('CONSOLE_OIDC_ISSUER'), settings.isSet('CONSOLE_OIDC_CLIENT_ID')];
  if (hasClient && !hasIssuer) settings.reject('CONSOLE_OIDC_ISSUER', 'the issuer at which the client is registered');
  if (!hasIssuer) return;
  if (!hasClient)
    settings.reject('CONSOLE_OIDC_CLIENT_ID', `the ID of a public client of the issuer, wherever ${issuer} is set`);
  const clientIssuer = settings.nameOf('CLIENT_JWT_ISSUER');
  if (settings.get('CONSOLE_OIDC_ISSUER') !== settings.get('CLIENT_JWT_ISSUER'))
    settings.reject(
      'CONSOLE_OIDC_ISSUER',
      `the same issuer as ${clientIssuer}, with ${settings.nameOf('CLIENT_JWKS_URL')} or ${settings.nameOf('CLIENT_PUBLIC_KEY')}, so that the gateway accepts its JWTs`,
    );
}
