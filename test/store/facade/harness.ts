import type { Backend } from '../../../src/core/backend.ts';
import type { JsonBounds } from '../../../src/core/base/json.ts';
import type { Log } from '../../../src/core/base/log.ts';
import type { KnowledgeBase } from '../../../src/store/knowledge-base/format.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. Undefined without a body. */
  readonly body: unknown;
}

export interface Facade {
  readonly url: string;
  get(path: string, headers?: HeadersInit): Promise<Answer>;
  /** Sends a value as JSON. */
  put(path: string, body: unknown, headers?: HeadersInit): Promise<Answer>;
  /** Sends a request with the token and no other header of its own. */
  send(path: string, init: RequestInit): Promise<Answer>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly maxBodyBytes?: number;
  readonly maxBulkItems?: number;
  readonly jsonBounds?: JsonBounds;
  readonly log?: Log;
  /** Additions to the knowledge base of test/fixtures. */
  readonly more?: Partial<KnowledgeBase>;
  /** Wraps the store. */
  readonly around?: (backend: Backend) => Backend;
}

/** The façade over a fresh embedded store, on a port of its own. */
export async function openFacade({ around, more = {}, jsonBounds, ...options }: HarnessOptions = {}): Promise<Facade> {
  const backend = await openFixtureStore();
  await backend.importKnowledgeBase({ ...NOTHING, ...more }, () => {});
  const gateway = await startGateway({
    maxBodyBytes: 100_000,
    maxBulkItems: 100,
    limits: jsonBounds ?? { maxValues: 10_000, maxListItems: 1_000 },
    ...options,
    backend: around?.(backend) ?? backend,
    local: true,
    token: TOKEN,
  });
  const send: Facade['send'] = async (path, init) => {
    const headers = new Headers(init.headers);
    if (!headers.has('api_token')) headers.set('api_token', TOKEN);
    const streamed = init.body ? { duplex: 'half' } : {};
    return read(await fetch(`${gateway.url}${path}`, { ...init, ...streamed, headers }));
  };
  return {
    url: gateway.url,
    send,
    get: (path, headers = {}) => send(path, { headers }),
    put: (path, body, headers = { 'content-type': 'application/json' }) =>
      send(path, { method: 'PUT', headers, body: JSON.stringify(body) }),
    close: async () => {
      await gateway.close();
      await backend.close();
    },
  };
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

const NOTHING: KnowledgeBase = {
  project_versions: [],
  languages: [],
  categories: [],
  team_accounts: [],
  articles: [],
  readers: [],
  invited_sso_users: [],
  reader_groups: [],
};

/** Articles in the category c4, in French. */
export const articles = (ids: readonly string[]): KnowledgeBase['articles'] =>
  ids.map((articleId) => ({
    id: articleId,
    project_version_id: 'pv2',
    category_id: 'c4',
    slug: articleId,
    order: 1,
    hidden: false,
    content_type: 'markdown',
    versions: [{ lang_code: 'fr', version_number: 1, title: articleId, content: null, translation_option: null }],
  }));

export const readers = (ids: readonly string[]): KnowledgeBase['readers'] =>
  ids.map((readerId) => ({ reader_id: readerId, first_name: null, last_name: null, email: null }));

export const invitedSsoUsers = (ids: readonly string[]): KnowledgeBase['invited_sso_users'] =>
  ids.map((invitationId) => ({ invitation_id: invitationId, email: null }));

export const readerGroup = (
  groupId: string,
  members: Partial<KnowledgeBase['reader_groups'][number]> = {},
): KnowledgeBase['reader_groups'][number] => ({
  groupId,
  title: 'More',
  description: null,
  readerIds: [],
  invitedSsoUserIds: [],
  accessScope: { level: 'NONE' },
  ...members,
});

export const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);

/** The envelope of an error, with the descriptions of its errors. */
export const refusal = (...descriptions: readonly unknown[]) => ({
  extension_data: null,
  success: false,
  errors: descriptions.map((description) => ({
    extension_data: null,
    stack_trace: null,
    description,
    error_code: null,
    custom_data: null,
  })),
  warnings: null,
  information: null,
});
