import { type SubmitEvent, useMemo, useState } from 'react';
import { Client, fetchExchange, Provider, useQuery } from 'urql';
import { Articles } from './articles.tsx';
import { ProjectVersionsDocument } from './generated/operations.ts';
import { QueryState } from './query-state.tsx';
import { ReaderGroups } from './reader-groups.tsx';

type View = 'groups' | 'articles';

const KEPT_TOKEN = 'api_token';

/** The client caches nothing: the page shows what the gateway has just returned. */
const createGatewayClient = (token: string): Client =>
  new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [fetchExchange],
    // Without a token, the gateway returns an error that asks for one.
    fetchOptions: token === '' ? {} : { headers: { api_token: token } },
  });

/** The token is kept until the tab is closed. */
export function App() {
  const [token, setToken] = useState(() => sessionStorage.getItem(KEPT_TOKEN) ?? '');
  const [view, setView] = useState<View>('groups');
  const client = useMemo(() => createGatewayClient(token), [token]);
  const keep = (next: string) => {
    sessionStorage.setItem(KEPT_TOKEN, next);
    setToken(next);
  };
  return (
    <>
      <header className="bar">
        <h1>Knowledge base</h1>
        <nav className="inline" aria-label="Views">
          <button type="button" aria-current={view === 'groups'} onClick={() => setView('groups')}>
            Reader groups
          </button>
          <button type="button" aria-current={view === 'articles'} onClick={() => setView('articles')}>
            Articles
          </button>
        </nav>
        <TokenForm token={token} onUse={keep} />
      </header>
      <main>
        <Provider value={client} key={token}>
          <Content view={view} />
        </Provider>
      </main>
    </>
  );
}

function TokenForm({ token, onUse }: { token: string; onUse: (token: string) => void }) {
  const use = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onUse(String(new FormData(event.currentTarget).get('token')).trim());
  };
  return (
    <form className="inline" onSubmit={use}>
      <label htmlFor="token">API token</label>
      <input id="token" name="token" type="password" autoComplete="off" defaultValue={token} />
      <button type="submit" className="primary">
        Use token
      </button>
    </form>
  );
}

/** Both views let the user choose a project version, so these are read first. */
function Content({ view }: { view: View }) {
  const [{ data, fetching, error }, reload] = useQuery({ query: ProjectVersionsDocument });
  const versions = data?.projectVersions;
  if (!versions) return <QueryState fetching={fetching} error={error} onRetry={reload} />;
  return view === 'groups' ? <ReaderGroups versions={versions} /> : <Articles versions={versions} />;
}
