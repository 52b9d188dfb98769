import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Answer, type Api, createApi, type Failure, type TokenSource } from './api.ts';
import { callerNameOf } from './caller-name.ts';
import type { ProjectVersionsQuery } from './generated/graphql.ts';
import type { Issuer } from './issuer.ts';
import { onLinkedToken } from './linked-token.ts';
import type { Attempt, Oidc } from './oidc.ts';

export type ProjectVersions = NonNullable<ProjectVersionsQuery['projectVersions']>;

/** The scopes of the page's writes. */
const WRITES = ['articles:write', 'articles:publish', 'groups:write'] as const;

/** `out`: nobody has signed in yet. `ended`: the caller was signed out, and what they typed is still there. */
type State = 'loading' | 'out' | 'in' | 'ended';

export type Session = ReturnType<typeof useSession>;

/** What the page was opened with: the token of a link, the issuer at which people sign in, and its answer. */
export interface Start {
  readonly linked: string | null;
  readonly issuer: Issuer | null;
  readonly answer: string | null;
}

/**
 * Signs in. The token of a link is used only while nobody is signed in, since another page may have opened the link.
 * Tokens are kept in memory only. The first request is sent without a token, since a host may identify its callers by
 * other means.
 */
export function useSession({ linked, issuer, answer }: Start) {
  const [state, setState] = useState<State>('loading');
  /** Null until somebody has signed in. */
  const [versions, setVersions] = useState<ProjectVersions | null>(null);
  /** Null where the page sends no token. */
  const [callerName, setCallerName] = useState<string | null>(null);
  const { permissions, setScopes, forbid } = useWriteScopes();
  const [problem, setProblem] = useState<string | null>(null);
  const api = useMemo(
    () =>
      createApi({
        onSignedOut: () => setState((current) => (current === 'in' || current === 'ended' ? 'ended' : 'out')),
        onForbidden: forbid,
      }),
    [forbid],
  );
  const actions = useMemo(() => {
    const refuse = (reason: string | null) => {
      setProblem(reason);
      setState((current) => (current === 'loading' ? 'out' : current));
      return false;
    };
    const enter = ({ data, failure }: Answer<ProjectVersionsQuery>, token: string | null) => {
      if (failure) return refuse(problemOf(failure, token));
      setCallerName(token === null ? null : callerNameOf(token));
      setScopes(data.caller?.scopes ?? null);
      setVersions((current) => current ?? data.projectVersions ?? []);
      setProblem(null);
      setState('in');
      return true;
    };
    return createSignIn(api, enter, refuse);
  }, [api, setScopes]);
  const signInAt = useMemo(() => issuer && createIssuerSignIn(issuer), [issuer]);
  useEffect(() => {
    void (signInAt && linked === null
      ? actions.enterBy(signInAt((oidc) => oidc.begin(answer)))
      : actions.follow(linked));
    return onLinkedToken((token) => void actions.follow(token));
  }, [actions, linked, signInAt, answer]);
  /** Lets the person sign in at the issuer; null where there is none. */
  const atIssuer = signInAt && {
    name: new URL(issuer?.issuer ?? '').host,
    ask: () => actions.enterBy(signInAt((oidc) => oidc.ask(state === 'ended'))),
  };
  return { api, state, callerName, versions, ...permissions, problem, signIn: actions.signIn, atIssuer };
}

/** The problem of a failed sign-in; null where the page has asked without a token, as it does at first. */
function problemOf({ code, message }: Failure, token: string | null): string | null {
  if (code !== 'UNAUTHENTICATED') return message;
  return token === null ? null : 'The gateway does not accept this token.';
}

/** `enter` is called with the answer to a token, and returns whether the caller is signed in. */
function createSignIn(
  api: Api,
  enter: (answer: Answer<ProjectVersionsQuery>, token: string | null) => boolean,
  refuse: (reason: string | null) => void,
) {
  /** The token of a link is used only before anything was typed, and while no token is being tried or accepted. */
  let followsLinks = true;
  let hasTyped = false;
  const ask = (source: TokenSource) => {
    followsLinks = false;
    return api.signIn(source);
  };
  return {
    follow: async (linked: string | null) => {
      if (!followsLinks) return;
      const answer = await ask(async () => linked);
      if (!hasTyped) followsLinks = !enter(answer, linked);
    },
    signIn: async (typed: string) => {
      hasTyped = true;
      enter(await ask(async () => typed), typed);
    },
    enterBy: async (attempted: Promise<Attempt>) => {
      followsLinks = false;
      const attempt = await attempted;
      if (attempt.source) enter(await ask(attempt.source), attempt.jwt);
      else refuse(attempt.problem);
    },
  };
}

/** What the caller has the scope for, and if scopes are unknown, until the gateway refuses a write with FORBIDDEN. */
function useWriteScopes() {
  const [scopes, setScopes] = useState<readonly string[] | null>(null);
  const forbid = useCallback((refused: string) => {
    setScopes((current) => (current ?? WRITES).filter((scope) => scope !== refused));
  }, []);
  const has = (scope: (typeof WRITES)[number]) => scopes?.includes(scope) ?? true;
  const permissions = {
    mayWrite: has('articles:write'),
    mayPublish: has('articles:publish'),
    mayWriteGroups: has('groups:write'),
  };
  return { permissions, setScopes, forbid };
}

/** Signs in at an issuer. The library for that is loaded when it is first needed. */
function createIssuerSignIn(issuer: Issuer) {
  let opened: Promise<Oidc> | null = null;
  return async (step: (oidc: Oidc) => Promise<Attempt>): Promise<Attempt> => {
    if (issuer.metadata === null)
      return { problem: `The gateway cannot read what ${issuer.issuer} publishes. Load this page again later.` };
    opened ??= import('./oidc.ts').then(({ createOidc }) => createOidc(issuer));
    return opened.then(step).catch((error: unknown) => ({ problem: `Signing in failed: ${error}` }));
  };
}
