import { ErrorResponse, InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { TokenSource } from './api.ts';
import { claimsOf } from './caller-name.ts';
import { type Issuer, REDIRECT } from './issuer.ts';

/** What came of an attempt to sign in. The problem is null where the issuer wants to ask the person first. */
export type Attempt =
  | { readonly source: TokenSource; readonly jwt: string }
  | { readonly source?: never; readonly problem: string | null };

interface Grant {
  readonly jwt: string;
  readonly endsAt: number;
}

/** A request waits for a renewal only where the JWT could end before the gateway reads it. */
const MARGIN_MS = 2_000;

/** The answers of an issuer that wants to ask (OpenID Connect Core, 3.1.2.6). */
const WANTS_TO_ASK: readonly (string | null)[] = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];

/** Signs in by the authorization code flow with PKCE. The JWTs are in memory only. */
export function createOidc(issuer: Issuer) {
  const manager = createManager(issuer);
  let grant: Grant | null = null;
  let renewal: Promise<unknown> | null = null;
  // Also after a renewal, which the library begins before the end.
  manager.events.addUserLoaded((user) => {
    grant = grantOf(user, issuer) ?? grant;
  });
  // Attempts that nobody has finished.
  void manager.clearStaleState();

  const source: TokenSource = async () => {
    if (grant !== null && performance.now() >= grant.endsAt - MARGIN_MS) {
      renewal ??= manager
        .signinSilent()
        .catch(() => null)
        .finally(() => {
          renewal = null;
        });
      await renewal;
    }
    return grant?.jwt ?? null;
  };

  const attempt = async (signIn: () => Promise<User>): Promise<Attempt> => {
    try {
      const user = await signIn();
      restoreView(user.state);
      const jwt = grantOf(user, issuer)?.jwt;
      return jwt === undefined ? { problem: wrongAudience(user, issuer) } : { source, jwt };
    } catch (error) {
      if (!(error instanceof ErrorResponse)) throw error;
      restoreView(error.state);
      return { problem: refusalOf(error, issuer) };
    }
  };

  const redirect = async (prompt: { prompt?: 'none' }): Promise<Attempt> => {
    await manager.signinRedirect({ ...prompt, state: location.hash, url_state: REDIRECT, redirectMethod: 'replace' });
    // The person has come back to this page by a button of the browser.
    return { problem: null };
  };

  return {
    /** Signs in without asking. The whole page goes to the issuer, and is opened again with its answer. */
    begin: (answer: string | null) =>
      answer === null
        ? redirect({ prompt: 'none' })
        : attempt(() => manager.signinRedirectCallback(new URL(answer, location.href).href)),
    /** Lets the issuer ask the person, in this window or, where something was typed, in another one. */
    ask: (isTyped: boolean) => (isTyped ? attempt(() => manager.signinPopup()) : redirect({})),
  };
}

export type Oidc = ReturnType<typeof createOidc>;

/** The reason of a refusal; null where the issuer wants to ask. */
function refusalOf({ error, error_description }: ErrorResponse, { issuer }: Issuer): string | null {
  return WANTS_TO_ASK.includes(error) ? null : `${issuer} refuses to sign in: ${error_description ?? error}`;
}

function createManager({ issuer, clientId, audience, metadata }: Issuer): UserManager {
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: new URL('console/signed-in', location.href).href,
    scope: metadata?.scope ?? 'openid',
    metadata: {
      issuer,
      authorization_endpoint: metadata?.authorizationEndpoint ?? '',
      token_endpoint: metadata?.tokenEndpoint ?? '',
    },
    // Some issuers need this to make JWTs for a gateway, and others ignore it.
    extraQueryParams: audience === clientId ? {} : { audience },
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // It has the secrets of an attempt until its answer.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // More than a hidden frame takes, and less than the life of any usual JWT.
    accessTokenExpiringNotificationTimeInSeconds: 15,
  });
}

/** The view before the attempt. */
function restoreView(fragment: unknown): void {
  if (typeof fragment === 'string' && fragment.startsWith('#')) location.replace(fragment);
}

const tokensOf = ({ access_token, id_token = '' }: User): readonly string[] => [access_token, id_token];

const audiencesOf = (token: string): readonly unknown[] => [claimsOf(token)['aud'] ?? []].flat();

/** The access token, or else the ID token, whichever is for the gateway; null where none is. */
function grantOf(user: User, { audience }: Issuer): Grant | null {
  const jwt = tokensOf(user).find((token) => audiencesOf(token).includes(audience));
  if (jwt === undefined) return null;
  const { iat, exp } = claimsOf(jwt);
  // By a duration, since the clock of this machine may be wrong.
  const lifetime = (Number(exp) - Number(iat) || (user.expires_in ?? 0)) * 1_000;
  return { jwt, endsAt: performance.now() + lifetime };
}

function wrongAudience(user: User, { issuer, audience }: Issuer): string {
  const names = tokensOf(user).flatMap(audiencesOf).map(String);
  return `${issuer} gives no JWT that is for this gateway: it needs the audience ${audience}, and got ${[...new Set(names)].join(', ') || 'none'}.`;
}
