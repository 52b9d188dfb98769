/** Who is signed in. */
export interface Session {
  readonly name: string;
  /** What the person may do, as docs/security.md says. */
  readonly scopes: readonly string[];
}

export type SignIn = Session | 'wrong' | 'unreachable';

interface Grant {
  readonly token: string;
  readonly expiresIn: number;
  readonly name: string;
  readonly scope: string;
}

const RENEW_BEFORE_MS = 30_000;

/**
 * The JWT is kept in memory only. It lives for minutes, and is renewed before a request is sent, so that no request has
 * to be sent again: a mutation must not be repeated by a library. Your identity provider's library takes the place of
 * this file.
 */
export function createSessionClient(onEnd: () => void) {
  let grant: (Grant & { readonly renewAt: number }) | null = null;
  let renewal: Promise<SignIn> | null = null;

  const ask = async (path: string, body: object): Promise<SignIn> => {
    const asked = performance.now();
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (response?.status === 401) return 'wrong';
    if (!response?.ok) return 'unreachable';
    const granted: Grant = await response.json();
    grant = { ...granted, renewAt: asked + granted.expiresIn * 1000 - RENEW_BEFORE_MS };
    return { name: granted.name, scopes: granted.scope.split(' ') };
  };

  /** Requests of the same moment share one renewal. */
  const renew = (): Promise<SignIn> => {
    renewal ??= ask('/session/token', {}).finally(() => {
      renewal = null;
    });
    return renewal;
  };

  return {
    signIn: (name: string, password: string) => ask('/session', { name, password }),
    /** The session of this browser, from before the page was loaded. */
    resume: renew,
    async signOut(): Promise<void> {
      grant = null;
      await fetch('/session', { method: 'DELETE' }).catch(() => null);
    },
    /** Sends a request of the person. Without a session, nothing is sent. */
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      if (grant === null || performance.now() > grant.renewAt) {
        const renewed = await renew();
        if (renewed === 'wrong') onEnd();
        if (typeof renewed === 'string' || grant === null) throw new NotSentError(renewed === 'wrong');
      }
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${grant.token}`);
      return fetch(input, { ...init, headers });
    },
  };
}

/** The request was not sent, so nothing was written. */
export class NotSentError extends Error {
  constructor(isSignedOut: boolean) {
    super(
      isSignedOut
        ? 'Nothing was sent: your session has ended. Sign in again.'
        : 'Nothing was sent: the issuer cannot be reached.',
    );
  }
}
