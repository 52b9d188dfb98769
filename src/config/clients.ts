import { z } from 'zod';
import { proxyUrlFor } from './proxy.ts';
import { isLoopback, wholeNumberSetting } from './setting-types.ts';

/** The keys and claims by which JWTs of clients are verified. `proxyUrl` may hold a password. */
export interface ClientsConfig {
  readonly keys: { readonly jwksUrl: string; readonly proxyUrl: string | null } | { readonly publicKey: string };
  readonly issuer: string;
  readonly audience: string;
  readonly scopeClaim: string;
}

const boundedText = z.string().max(16_384, 'up to 16384 characters').optional();

/** The settings that identify callers and limit their rate. */
export const clientSettings = z.object({
  CLIENT_JWKS_URL: z
    .string()
    .refine(isKeySetUrl, 'an https URL without user, password or fragment; http only to this machine')
    .optional(),
  CLIENT_PUBLIC_KEY: boundedText,
  CLIENT_JWT_ISSUER: boundedText,
  CLIENT_JWT_AUDIENCE: boundedText,
  CLIENT_JWT_SCOPE_CLAIM: boundedText,
  CALLER_REQUESTS_PER_MINUTE: wholeNumberSetting(0, 0, 1_000_000),
});

type ClientSettings = z.infer<typeof clientSettings>;

function isKeySetUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//iu.test(text) || url.username || url.password || text.includes('#')) return false;
  return url.protocol === 'https:' || isLoopback(url.hostname.replace(/^\[|\]$/gu, ''));
}

/** True when a JWT is required of callers. */
const hasClients = ({ CLIENT_JWKS_URL, CLIENT_PUBLIC_KEY }: Partial<ClientSettings>): boolean =>
  CLIENT_JWKS_URL !== undefined || CLIENT_PUBLIC_KEY !== undefined;

const REQUIRED_WITH_KEYS =
  'what the JWTs have there, wherever CLIENT_JWKS_URL or CLIENT_PUBLIC_KEY is set, and only there';

/** An incomplete configuration is refused, because it would not keep untrusted callers out. */
const CLIENT_RULES = [
  {
    path: ['CLIENT_PUBLIC_KEY'],
    error: 'either this or CLIENT_JWKS_URL',
    holds: (settings: ClientSettings) => !settings.CLIENT_JWKS_URL || !settings.CLIENT_PUBLIC_KEY,
  },
  {
    path: ['CLIENT_JWT_ISSUER'],
    error: REQUIRED_WITH_KEYS,
    holds: (settings: ClientSettings) => hasClients(settings) === (settings.CLIENT_JWT_ISSUER !== undefined),
  },
  {
    path: ['CLIENT_JWT_AUDIENCE'],
    error: REQUIRED_WITH_KEYS,
    holds: (settings: ClientSettings) => hasClients(settings) === (settings.CLIENT_JWT_AUDIENCE !== undefined),
  },
  {
    path: ['CLIENT_JWT_SCOPE_CLAIM'],
    error: 'only where CLIENT_JWKS_URL or CLIENT_PUBLIC_KEY is set',
    holds: (settings: ClientSettings) => hasClients(settings) || settings.CLIENT_JWT_SCOPE_CLAIM === undefined,
  },
];

/** Adds the rules to a schema. They run even if other settings are wrong, so that one message lists all problems. */
export const withClientRules = <T extends z.ZodType<ClientSettings>>(schema: T): T =>
  CLIENT_RULES.reduce((ruled, { holds, ...params }) => ruled.refine(holds, { ...params, when: () => true }), schema);

/** Null when clients are not known by a JWT. Expects settings that satisfy the rules. */
export function clientsConfig(
  settings: ClientSettings,
  environment: Readonly<Record<string, string | undefined>>,
): ClientsConfig | null {
  const { CLIENT_JWKS_URL: jwksUrl, CLIENT_PUBLIC_KEY: publicKey, CLIENT_JWT_ISSUER: issuer } = settings;
  const { CLIENT_JWT_AUDIENCE: audience, CLIENT_JWT_SCOPE_CLAIM: scopeClaim = 'scope' } = settings;
  if (issuer === undefined || audience === undefined) return null;
  if (jwksUrl !== undefined) {
    const keys = { jwksUrl, proxyUrl: proxyUrlFor(jwksUrl, environment) };
    return Object.freeze({ keys, issuer, audience, scopeClaim });
  }
  return publicKey === undefined ? null : Object.freeze({ keys: { publicKey }, issuer, audience, scopeClaim });
}
