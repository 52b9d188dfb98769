import type { Log } from '../../core/base/log.ts';
import { CLIENT_SCOPES } from '../../core/callers/caller.ts';
import type { ConsoleSignInConfig } from '../config/console-sign-in.ts';
import { keySetUrl } from '../config/setting-types.ts';

/** What the page of the console needs in order to sign people in. Nothing of it is secret. */
export interface ConsoleIssuer {
  readonly issuer: string;
  readonly clientId: string;
  /** The `aud` of the JWTs that the gateway accepts. */
  readonly audience: string;
  /** The endpoints and the scopes to ask for; null while the issuer does not publish them. */
  readonly metadata: IssuerMetadata | null;
}

interface IssuerMetadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly scope: string;
}

interface ConsoleIssuerOptions {
  readonly signIn: ConsoleSignInConfig;
  readonly userAgent: string;
  readonly log: Log;
}

/** What the issuer has published stays in use for so long. */
const FRESH_FOR_MS = 600_000;

/** The shortest time between a failed fetch and the next. */
const COOL_DOWN_MS = 5_000;

/**
 * Returns a function that reads what the issuer publishes about itself, at its first use and then from time to time. What
 * was read last stays in use while the issuer can't be reached.
 */
export function createConsoleIssuer({ signIn, userAgent, log }: ConsoleIssuerOptions): () => Promise<ConsoleIssuer> {
  const { issuer, clientId, audience, proxyUrl, setting } = signIn;
  const url = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
  let metadata: IssuerMetadata | null = null;
  let dueAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | null = null;
  const renew = async () => {
    try {
      // A start without an issuer loads nothing for calls to others.
      const { fetchJson } = await import('./fetch-json.ts');
      metadata = metadataIn(await fetchJson({ url, accept: 'application/json', proxyUrl, userAgent }), issuer);
      dueAt = performance.now() + FRESH_FOR_MS;
    } catch (error) {
      log('warn', `the console cannot sign people in: what its issuer publishes (${setting}) could not be read`, {
        error,
      });
      dueAt = performance.now() + COOL_DOWN_MS;
    } finally {
      pending = null;
    }
  };
  return async () => {
    if (performance.now() >= dueAt) {
      pending ??= renew();
      await pending;
    }
    return { issuer, clientId, audience, metadata };
  };
}

/** Reads the metadata of an issuer (OpenID Connect Discovery, 3). Throws where they are not those of this issuer. */
function metadataIn(published: unknown, issuer: string): IssuerMetadata {
  const members: Readonly<Record<string, unknown>> = Object(published);
  if (members['issuer'] !== issuer) throw new Error(`The issuer calls itself ${JSON.stringify(members['issuer'])}.`);
  const endpoint = (name: string): string => {
    const url = keySetUrl.parse(String(members[name]));
    if (!url.ok) throw new Error(`The issuer's ${name} is not ${url.error}.`);
    return new URL(url.value).href;
  };
  const supported = [members['scopes_supported']].flat();
  return {
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    // Issuers may refuse scopes that they don't know.
    scope: ['openid', ...CLIENT_SCOPES.filter((scope) => supported.includes(scope))].join(' '),
  };
}
