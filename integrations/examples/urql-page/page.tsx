import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Client, cacheExchange, fetchExchange, Provider, useClient, useQuery } from 'urql';
import { ArticleRowsDocument, type ArticleRowsQuery } from '../../../examples/react-page/generated/operations.ts';
import { Row, type Send } from '../../../examples/react-page/page.tsx';

function Page({ after = null }: { after?: string | null | undefined }) {
  const client = useClient();
  const send: Send = async (document, variables) => {
    const { data, error } = await client.mutation(document.toString(), Object(variables));
    if (error || !data) throw error;
    return data;
  };
  const [{ data, error }] = useQuery<ArticleRowsQuery>({ query: `${ArticleRowsDocument}`, variables: { after } });
  const { nodes = [], pageInfo } = data?.articles ?? {};
  const [isMore, setIsMore] = useState(false);
  const more = pageInfo?.hasNextPage && <input type="button" value="More" onClick={() => setIsMore(true)} />;
  const rows = nodes.map((article) => <Row key={article.id} article={article} send={send} />);
  return [...rows, error?.message, isMore ? <Page key="next" after={pageInfo?.endCursor} /> : more];
}

export function showUrqlPage(root: Element, url: string, jwtSource: () => Promise<string>): void {
  const withJwt: typeof fetch = async (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, authorization: `Bearer ${await jwtSource()}` } });
  const client = new Client({ url, fetch: withJwt, preferGetMethod: false, exchanges: [cacheExchange, fetchExchange] });
  createRoot(root).render(
    <Provider value={client}>
      <Page />
    </Provider>,
  );
}
