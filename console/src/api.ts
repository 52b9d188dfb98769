import {
  type ErrorFieldsFragment,
  ProjectVersionsDocument,
  type ProjectVersionsQuery,
  type TypedDocumentString,
} from './generated/graphql.ts';

/** Why a request has no data. */
export interface Failure {
  readonly code: string | null;
  readonly message: string;
}

/** The payloads of a document whose mutations all succeed. */
export type Payloads<Data> = { readonly [Name in keyof Data]: Exclude<Data[Name], ErrorFieldsFragment> };

export type Answer<Data> =
  | { readonly data: Payloads<Data>; readonly failure?: never }
  | { readonly data?: never; readonly failure: Failure };

interface ApiOptions {
  /** Called when the gateway does not accept the token. */
  readonly onSignedOut: () => void;
  /** Called with the scope that the caller lacks. */
  readonly onForbidden: (scope: 'articles:write' | 'articles:publish' | 'groups:write') => void;
}

/** Gives the token of a request: an API token or a JWT. */
export type TokenSource = () => Promise<string | null>;

interface Body {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions?: { readonly code?: string };
  }[];
}

/** The message where a mutation has neither a payload nor an error. */
export const NO_ANSWER = 'There was no answer.';

const NO_RESPONSE: Failure = { code: null, message: 'The gateway cannot be reached.' };

/** A text of three parts in Base64url looks like a JWT. The gateway decides whether it is one. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u;

/**
 * Sends documents to the gateway of this page. The token is kept here, in memory, and nowhere else.
 */
export function createApi({ onSignedOut, onForbidden }: ApiOptions) {
  let source: TokenSource = async () => null;
  let accepted = Promise.withResolvers<void>();
  let trustedOnly = false;

  const post = async (document: TypedDocumentString<unknown, never>, variables: unknown): Promise<Body | null> => {
    const named = trustedOnly ? { documentId: document.__meta__?.['hash'] } : { query: document.toString() };
    const response = await fetch('graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...credentialsOf(await source()) },
      body: JSON.stringify({ ...named, variables }),
    }).catch(() => null);
    const body: Body | null = (await response?.json().catch(() => null)) ?? null;
    return body;
  };

  const sendOnce = async <Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
  ): Promise<Answer<Data>> => {
    const sentWith = source;
    let body = await post(document, variables);
    if (!trustedOnly && body?.errors?.[0]?.extensions?.code === 'PERSISTED_QUERY_ONLY') {
      trustedOnly = true;
      body = await post(document, variables);
    }
    const failure = failureOf(body);
    // A newer token may have been entered meanwhile.
    if (failure?.code === 'UNAUTHENTICATED' && sentWith === source) onSignedOut();
    if (failure?.code === 'FORBIDDEN') onForbidden(scopeOf(document.toString()));
    return failure === null ? { data: body?.data as Payloads<Data> } : { failure };
  };

  /** Sends a document. Where the gateway does not accept the token, a read waits until somebody has signed in again. */
  const send: typeof sendOnce = async (document, variables) => {
    const sentWith = source;
    const answer = await sendOnce(document, variables);
    if (answer.failure?.code !== 'UNAUTHENTICATED' || !READ.test(document.toString())) return answer;
    if (sentWith === source) await accepted.promise;
    return send(document, variables);
  };

  return {
    /** Uses the tokens of this source from now on, and asks whether the gateway accepts them. */
    async signIn(next: TokenSource): Promise<Answer<ProjectVersionsQuery>> {
      source = next;
      const answer = await sendOnce(ProjectVersionsDocument, {});
      if (answer.data && source === next) {
        accepted.resolve();
        accepted = Promise.withResolvers();
      }
      return answer;
    },
    send,
  };
}

/** A preview is a mutation that writes nothing. */
const READ = /^\s*(?:query|mutation Preview)/u;

export type Api = ReturnType<typeof createApi>;

/** The scope that a document with a mutation needs. */
function scopeOf(text: string): Parameters<ApiOptions['onForbidden']>[0] {
  if (/pdateReaderGroup\(/u.test(text)) return 'groups:write';
  return /ublishArticles\(/u.test(text) ? 'articles:publish' : 'articles:write';
}

function credentialsOf(token: string | null): Readonly<Record<string, string>> {
  if (token === null) return {};
  return JWT.test(token) ? { authorization: `Bearer ${token}` } : { 'x-api-token': token };
}

/** A field below a root field may have failed alone. */
function failureOf(body: Body | null): Failure | null {
  if (body === null || (body.data == null && body.errors === undefined)) return NO_RESPONSE;
  const error = body.errors?.find(({ path }) => body.data == null || path === undefined || path.length === 1);
  if (error !== undefined) return { code: error.extensions?.code ?? null, message: error.message };
  const refused = Object.values(body.data ?? {}).find(isMutationError);
  if (refused === undefined) return null;
  const messages = [refused, ...('issues' in refused ? refused.issues : [])].map(({ message }) => message);
  return { code: refused.code, message: messages.join(' ') };
}

const isMutationError = (value: unknown): value is ErrorFieldsFragment =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export interface Pages<Node> {
  readonly nodes: readonly Node[];
  readonly hasMore: boolean;
  readonly problem: string | null;
}

/** Reads pages one after another, at most so many, until there are enough. `read` gives the page after a cursor, or the reason why there is none. */
export async function readPages<Node>(
  most: number,
  read: (after: string | null) => Promise<Connection<Node> | string>,
  areEnough: (nodes: readonly Node[]) => boolean = () => false,
): Promise<Pages<Node>> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < most && !areEnough(nodes); pages++) {
    const page: Connection<Node> | string = await read(after);
    if (typeof page === 'string') return { nodes, hasMore: true, problem: page };
    nodes.push(...page.nodes);
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return { nodes, hasMore: false, problem: null };
  }
  return { nodes, hasMore: true, problem: null };
}
