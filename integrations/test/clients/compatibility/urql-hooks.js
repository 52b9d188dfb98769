import { createElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Client, cacheExchange, fetchExchange, Provider, useMutation, useQuery } from 'urql';

// JavaScript, since React has no types of its own.

/** Gives functions that run operations by the hooks of urql, in components that React renders on the server. */
export function createUrqlHooks(url, token) {
  const client = new Client({
    url,
    fetchOptions: { headers: { 'x-api-token': token } },
    exchanges: [cacheExchange, fetchExchange],
    suspense: true,
  });
  return {
    /** The result that the component shows in the end. */
    runQuery: (query, variables) => render(client, () => useQuery({ query, variables })[0]),
    runMutation: async (mutation, variables) => {
      const execute = await render(client, () => useMutation(mutation)[1]);
      return execute(variables);
    },
  };
}

/** Renders a component with a hook, and resolves to what the hook gave when all that it waits for had come. */
function render(client, useHook) {
  let given;
  const Component = () => {
    given = useHook();
    return null;
  };
  const page = createElement(Provider, { value: client }, createElement(Component));
  return new Promise((resolve, reject) => {
    renderToPipeableStream(page, { onAllReady: () => resolve(given), onError: reject });
  });
}
