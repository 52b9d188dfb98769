import { DEV_ISSUER } from '../../core/callers/caller.ts';
import { type Proxies, proxyUrlFor } from './proxy.ts';
import type { SettingReader } from './setting-reader.ts';
import { isLoopback } from './setting-types.ts';

/** The keys and claims by which JWTs of clients are verified. `proxyUrl` may hold a password. */
export interface ClientsConfig {
  /** The keys. `setting` is the name of their setting in messages. */
  readonly keys: { readonly setting: string } & (
    | { readonly jwksUrl: string; readonly proxyUrl: string | null }
    | { readonly publicKey: string }
  );
  readonly issuer: string;
  readonly audience: string;
  readonly scopeClaim: string;
}

/**
 * Reads the settings of clients; null when these are not identified by JWTs. An incomplete configuration is rejected,
 * since it would not keep untrusted callers out.
 */
export function readClients(settings: SettingReader, proxies: Proxies): ClientsConfig | null {
  const jwksUrl = settings.get('CLIENT_JWKS_URL');
  const publicKey = settings.get('CLIENT_PUBLIC_KEY');
  const issuer = settings.get('CLIENT_JWT_ISSUER');
  const audience = settings.get('CLIENT_JWT_AUDIENCE');
  const scopeClaim = settings.get('CLIENT_JWT_SCOPE_CLAIM') ?? 'scope';
  checkClients(settings);
  if (issuer === undefined || audience === undefined) return null;
  const claims = { issuer, audience, scopeClaim };
  if (jwksUrl !== undefined) {
    const keys = { jwksUrl, proxyUrl: proxyUrlFor(jwksUrl, proxies), setting: settings.nameOf('CLIENT_JWKS_URL') };
    return Object.freeze({ keys, ...claims });
  }
  if (publicKey === undefined) return null;
  return Object.freeze({ keys: { publicKey, setting: settings.nameOf('CLIENT_PUBLIC_KEY') }, ...claims });
}

function checkClients(settings: SettingReader): void {
  const [jwks, key] = [settings.nameOf('CLIENT_JWKS_URL'), settings.nameOf('CLIENT_PUBLIC_KEY')];
  const [hasJwks, hasKey] = [settings.isSet('CLIENT_JWKS_URL'), settings.isSet('CLIENT_PUBLIC_KEY')];
  const hasKeys = hasJwks || hasKey;
  if (hasJwks && hasKey) settings.reject('CLIENT_PUBLIC_KEY', `either this or ${jwks}`);
  for (const claim of ['CLIENT_JWT_ISSUER', 'CLIENT_JWT_AUDIENCE'] as const) {
    if (settings.isSet(claim) === hasKeys) continue;
    settings.reject(claim, `what the JWTs have there, wherever ${jwks} or ${key} is set, and only there`);
  }
  if (settings.get('CLIENT_JWT_ISSUER') === DEV_ISSUER && !isLoopback(settings.get('HOST')))
    settings.reject(
      'CLIENT_JWT_ISSUER',
      `another issuer, where ${settings.nameOf('HOST')} is not an address of this machine alone`,
    );
  if (settings.isSet('CLIENT_JWT_SCOPE_CLAIM') && !hasKeys)
    settings.reject('CLIENT_JWT_SCOPE_CLAIM', `only where ${jwks} or ${key} is set`);
}
