import { z } from 'zod';
import { isLoopback, wholeNumber } from './setting-types.ts';

/** How the gateway knows the JWTs of its clients. */
export interface ClientsConfig {
  readonly keys: { readonly jwksUrl: string } | { readonly publicKey: string };
  readonly issuer: string;
  readonly audience: string;
  readonly scopeClaim: string;
}

const name = z.string().max(16_384, 'up to 16384 characters').optional();

/** The settings that say who a caller is, and how often one may call. */
export const clientSettings = z.object({
  CLIENT_JWKS_URL: z
    .string()
    .refine(isKeySetUrl, 'an https URL without user, password or fragment; http only to this machine')
    .optional(),
  CLIENT_PUBLIC_KEY: name,
  CLIENT_JWT_ISSUER: name,
  CLIENT_JWT_AUDIENCE: name,
  CLIENT_JWT_SCOPE_CLAIM: name,
  CALLER_RATE_LIMIT: wholeNumber(0, 0, 1_000_000),
});

type ClientSettings = z.infer<typeof clientSettings>;

function isKeySetUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//iu.test(text) || url.username || url.password || text.includes('#')) return false;
  return url.protocol === 'https:' || isLoopback(url.hostname.replace(/^\[|\]$/gu, ''));
}

/** Whether strangers are kept out by their JWT. */
const hasClients = ({ CLIENT_JWKS_URL, CLIENT_PUBLIC_KEY }: Partial<ClientSettings>): boolean =>
  CLIENT_JWKS_URL !== undefined || CLIENT_PUBLIC_KEY !== undefined;

const NEEDED = 'what the JWTs have there, wherever CLIENT_JWKS_URL or CLIENT_PUBLIC_KEY is set, and only there';

/** Half a configuration is refused: it must not pass for one that keeps strangers out. */
const RULES = [
  {
    path: ['CLIENT_PUBLIC_KEY'],
    error: 'either this or CLIENT_JWKS_URL',
    holds: (settings: ClientSettings) => !settings.CLIENT_JWKS_URL || !settings.CLIENT_PUBLIC_KEY,
  },
  {
    path: ['CLIENT_JWT_ISSUER'],
    error: NEEDED,
    holds: (settings: ClientSettings) => hasClients(settings) === (settings.CLIENT_JWT_ISSUER !== undefined),
  },
  {
    path: ['CLIENT_JWT_AUDIENCE'],
    error: NEEDED,
    holds: (settings: ClientSettings) => hasClients(settings) === (settings.CLIENT_JWT_AUDIENCE !== undefined),
  },
  {
    path: ['CLIENT_JWT_SCOPE_CLAIM'],
    error: 'only where CLIENT_JWKS_URL or CLIENT_PUBLIC_KEY is set',
    holds: (settings: ClientSettings) => hasClients(settings) || settings.CLIENT_JWT_SCOPE_CLAIM === undefined,
  },
];

/** Holds them together. Others may be wrong too: all are told at once. */
export const withClientRules = <T extends z.ZodType<ClientSettings>>(schema: T): T =>
  RULES.reduce((ruled, { holds, ...params }) => ruled.refine(holds, { ...params, when: () => true }), schema);

/** Null without client authentication. The rules have held. */
export function clientsConfig(settings: ClientSettings): ClientsConfig | null {
  const { CLIENT_JWKS_URL: jwksUrl, CLIENT_PUBLIC_KEY: publicKey, CLIENT_JWT_ISSUER: issuer } = settings;
  const { CLIENT_JWT_AUDIENCE: audience, CLIENT_JWT_SCOPE_CLAIM: scopeClaim = 'scope' } = settings;
  if (issuer === undefined || audience === undefined) return null;
  if (jwksUrl !== undefined) return Object.freeze({ keys: { jwksUrl }, issuer, audience, scopeClaim });
  return publicKey === undefined ? null : Object.freeze({ keys: { publicKey }, issuer, audience, scopeClaim });
}
