import { callerNameOf } from '../caller-name.ts';
import { onLinkedToken, takeLinkedToken, tokenOf } from '../linked-token.ts';
import type { GraphiQLTab } from './examples.ts';

/** What the gateway writes into the page. */
interface PageOptions {
  /** True where the page asks for a JWT instead of an API token. */
  readonly byJwt: boolean;
  /** Empty where the examples would show parts of a hidden schema. */
  readonly examples: readonly GraphiQLTab[];
}

interface GraphQLRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

declare global {
  /** The library's script is behind this one in the page. */
  var YogaGraphiQL: { readonly renderYogaGraphiQL: (root: Element, props: object) => void };
}

/** A token is sent as X-Api-Token, since many proxies drop the header api_token for its underscore. */
const API_TOKENS = {
  headers: ['x-api-token', 'api_token', 'authorization'],
  prefix: '',
  name: 'API token',
  source: 'Open the link that the gateway printed at its start, or type one here:',
};

/** A JWT goes beside an API token that is typed into the headers. */
const JWTS = { headers: ['authorization'], prefix: 'Bearer ', name: 'JWT', source: 'Type one here:' };

const HIDDEN_SCHEMA: GraphiQLTab = { query: '# The schema is not shown here. Every operation needs a token.\n' };

function partOf(selector: string): HTMLElement {
  const part = document.querySelector<HTMLElement>(selector);
  if (part === null) throw new Error(`The page has no ${selector}.`);
  return part;
}

/**
 * Holds the token of the link in memory alone: GraphiQL never sees it, so nothing can store it. Another link never replaces it,
 * since another page may have opened that.
 */
function holdToken() {
  let linked = takeLinkedToken();
  let typed: string | null = null;
  let notify = () => {};
  onLinkedToken((token) => {
    if (typed === null) linked ??= token;
    notify();
  });
  // The library would put each query into the address, which a reload sends and proxies log.
  history.pushState = () => {};
  history.replaceState = () => {};
  return {
    token: () => typed ?? linked,
    isTyped: () => typed !== null,
    /** Holds what was typed into the line above GraphiQL, rather than the token of the link. */
    type(text: string) {
      typed = tokenOf(text.trim());
      notify();
    },
    onChange(listener: () => void) {
      notify = listener;
    },
  };
}

type HeldToken = ReturnType<typeof holdToken>;

/** Sends the operations, with the held token where the typed headers have none. */
const createFetcher =
  ({ headers: names, prefix }: typeof API_TOKENS, held: HeldToken) =>
  async (
    { query, operationName, variables }: GraphQLRequest,
    { headers: typed = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<unknown> => {
    const headers = new Headers(typed);
    const token = held.token();
    if (token !== null && !names.some((name) => headers.get(name))) {
      for (const name of names) headers.delete(name);
      headers.set(names[0] ?? '', prefix + token);
    }
    headers.set('content-type', 'application/json');
    headers.set('accept', 'application/graphql-response+json, application/json');
    const body = JSON.stringify({ query, operationName, variables });
    const response = await fetch(location.pathname, { method: 'POST', headers, body });
    return response.json();
  };

/** Keeps what GraphiQL stores, without the typed headers, which its history would store. */
const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'> = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value.replace(/"headers":"(?:[^"\\]|\\.)*"/gu, '"headers":null')),
  removeItem: (key) => localStorage.removeItem(key),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

/** Says above GraphiQL who sends the operations. */
function showToken({ name, source }: typeof API_TOKENS, held: HeldToken): void {
  const token = held.token();
  const origin = held.isTyped() ? 'the one that was typed here' : 'that of the link';
  partOf('#token > span').textContent =
    token === null
      ? `The page has no ${name}, and keeps none when it is reloaded. ${source}`
      : `The ${name} that is sent is ${origin}: ${callerNameOf(token)}. The page forgets it when it is reloaded.`;
}

function render(held: HeldToken): void {
  const { byJwt, examples }: PageOptions = JSON.parse(partOf('#options').textContent);
  const kind = byJwt ? JWTS : API_TOKENS;
  const input = partOf('#token > input');
  input.setAttribute('placeholder', kind.name);
  input.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) held.type(target.value);
  });
  held.onChange(() => showToken(kind, held));
  showToken(kind, held);
  globalThis.YogaGraphiQL.renderYogaGraphiQL(partOf('#root'), {
    title: 'kb-gateway',
    // The query of the first tab; null for that of `defaultTabs`.
    query: new URLSearchParams(location.search).get('query'),
    onEditQuery: () => {},
    defaultTabs: examples.length > 0 ? examples : [HIDDEN_SCHEMA],
    shouldPersistHeaders: false,
    storage,
    fetcher: createFetcher(kind, held),
  });
}

// It runs before any other script of the page.
const held = holdToken();
addEventListener('DOMContentLoaded', () => render(held));
