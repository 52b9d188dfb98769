import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Answer, type Api, createApi } from './api.ts';
import { ProjectVersionsDocument, type ProjectVersionsQuery } from './generated/graphql.ts';
import { onLinkedToken } from './view.ts';

export type ProjectVersions = NonNullable<ProjectVersionsQuery['projectVersions']>;

/** The scopes of what the page writes. */
const WRITES = ['articles:write', 'articles:publish', 'groups:write'] as const;

export interface Session {
  readonly api: Api;
  /** `out`: nobody was signed in yet. `ended`: somebody was, and what they typed is still there. */
  readonly state: 'loading' | 'out' | 'in' | 'ended';
  /** Null until somebody has signed in. */
  readonly versions: ProjectVersions | null;
  /** By the scopes of the caller; where these are not known, until the gateway has refused a write with FORBIDDEN. */
  readonly mayWrite: boolean;
  /** The same for publishing. */
  readonly mayPublish: boolean;
  /** The same for reader groups. */
  readonly mayWriteGroups: boolean;
  /** The problem of the last attempt to sign in. */
  readonly problem: string | null;
  signIn(typed: string): Promise<void>;
}

/**
 * A token that is typed takes precedence over that of a link. Both are kept in memory only. At first the page asks with what it has, since a
 * host may know its callers by other means.
 */
export function useSession(linked: string | null): Session {
  const [state, setState] = useState<Session['state']>('loading');
  const [versions, setVersions] = useState<ProjectVersions | null>(null);
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
    let hasTyped = false;
    const enter = ({ data, failure }: Answer<ProjectVersionsQuery>) => {
      if (failure)
        setProblem(failure.code === 'UNAUTHENTICATED' ? 'The gateway does not accept this token.' : failure.message);
      else {
        setScopes(data.caller?.scopes ?? null);
        setVersions((current) => current ?? data.projectVersions ?? []);
        setProblem(null);
        setState('in');
      }
      return failure;
    };
    return {
      start: async (token: string | null) => {
        api.signIn(token);
        const failure = enter(await api.send(ProjectVersionsDocument, {}));
        if (failure?.code === 'UNAUTHENTICATED' && token === null) setProblem(null);
        if (failure) setState((current) => (current === 'loading' ? 'out' : current));
      },
      signIn: async (typed: string) => {
        hasTyped = true;
        api.signIn(typed);
        enter(await api.send(ProjectVersionsDocument, {}));
      },
      hasTyped: () => hasTyped,
    };
  }, [api, setScopes]);
  useEffect(() => {
    void actions.start(linked);
    return onLinkedToken((token) => {
      if (!actions.hasTyped()) void actions.start(token);
    });
  }, [actions, linked]);
  return { api, state, versions, ...permissions, problem, signIn: actions.signIn };
}

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
