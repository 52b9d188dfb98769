import { useEffect, useMemo, useRef, useState } from 'react';
import { Client, fetchExchange, Provider, useQuery } from 'urql';
import { Articles } from './articles.tsx';
import { ProjectVersionsDocument } from './generated/graphql.ts';
import { QueryState } from './query-state.tsx';
import { ReaderGroups } from './reader-groups.tsx';
import { createSessionClient, type Session } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { trustedDocuments } from './trusted-documents.ts';
import { UnsavedChangesProvider, useMayDiscard } from './unsaved-changes.tsx';

const VIEWS = { groups: 'Reader groups', articles: 'Articles' } as const;

/** The scopes of docs/security.md, "Client authentication". The gateway checks them, and not the page. */
const SCOPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['read', 'reads'],
  ['articles:write', 'changes articles'],
  ['groups:write', 'changes groups'],
]);

type View = keyof typeof VIEWS;

interface SignedIn {
  /** The person whose data is shown. It is kept when the session has ended. */
  session: Session | null;
  state: 'resuming' | 'out' | 'in' | 'ended';
}

const SIGNED_OUT: SignedIn = { session: null, state: 'out' };

interface AppProps {
  /** The password of the link that was opened; empty when it had none. */
  linkPassword: string;
}

export function App({ linkPassword }: AppProps) {
  return (
    <UnsavedChangesProvider>
      <Page linkPassword={linkPassword} />
    </UnsavedChangesProvider>
  );
}

/** What a person typed stays when the session ends, until the same person signs in again. */
function Page({ linkPassword }: AppProps) {
  const [{ session, state }, setSignedIn] = useState<SignedIn>({ session: null, state: 'resuming' });
  const [view, setView] = useState<View>('groups');
  const main = useRef<HTMLElement>(null);
  const mayDiscard = useMayDiscard();
  const sessions = useMemo(
    () => createSessionClient(() => setSignedIn((current) => ({ ...current, state: 'ended' }))),
    [],
  );
  useEffect(() => {
    sessions
      .resume()
      .then((resumed) => setSignedIn(typeof resumed === 'object' ? { session: resumed, state: 'in' } : SIGNED_OUT));
  }, [sessions]);
  const signIn = (started: Session) => {
    setSignedIn({ session: started, state: 'in' });
    main.current?.focus();
  };
  const signOut = async () => {
    if (!mayDiscard()) return;
    await sessions.signOut();
    setSignedIn(SIGNED_OUT);
  };
  const open = (next: View) => {
    if (next !== view && mayDiscard()) setView(next);
  };
  return (
    <>
      <Header view={view} onOpen={open} session={session} onSignOut={signOut} />
      <main ref={main} tabIndex={-1}>
        {state === 'resuming' && <p role="status">Loading…</p>}
        {(state === 'out' || state === 'ended') && (
          <SignIn
            hasEnded={state === 'ended'}
            linkPassword={linkPassword}
            onSubmit={sessions.signIn}
            onSignIn={signIn}
          />
        )}
        {session && (
          <div inert={state === 'ended'}>
            <Views key={session.name} view={view} send={sessions.fetch} />
          </div>
        )}
      </main>
    </>
  );
}

interface HeaderProps {
  view: View;
  session: Session | null;
  onOpen: (view: View) => void;
  onSignOut: () => void;
}

function Header({ view, session, onOpen, onSignOut }: HeaderProps) {
  return (
    <header className="bar">
      <h1>Knowledge base</h1>
      {session && (
        <>
          <nav className="inline" aria-label="Views">
            {(['groups', 'articles'] as const).map((name) => (
              <button
                key={name}
                type="button"
                aria-current={view === name ? 'page' : false}
                onClick={() => onOpen(name)}
              >
                {VIEWS[name]}
              </button>
            ))}
          </nav>
          <span>
            {session.name}: {session.scopes.map((scope) => SCOPE_NAMES.get(scope) ?? scope).join(', ')}
          </span>
          <button type="button" onClick={onSignOut}>
            Sign out
          </button>
        </>
      )}
    </header>
  );
}

/** The client caches nothing: the page shows what the gateway has just returned. */
function Views({ view, send }: { view: View; send: typeof fetch }) {
  const client = useMemo(
    () =>
      new Client({
        url: '/graphql',
        preferGetMethod: false,
        exchanges: [trustedDocuments, fetchExchange],
        fetch: send,
      }),
    [send],
  );
  return (
    <Provider value={client}>
      <Content view={view} />
    </Provider>
  );
}

/** Both views let the user choose a project version, so these are read first. */
function Content({ view }: { view: View }) {
  const [{ data, fetching, error }, reload] = useQuery({ query: ProjectVersionsDocument });
  const versions = data?.projectVersions;
  if (!versions) return <QueryState fetching={fetching} error={error} onRetry={reload} />;
  return view === 'groups' ? <ReaderGroups versions={versions} /> : <Articles versions={versions} />;
}
