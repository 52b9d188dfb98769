import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway.ts';

/** Options of clients that speak one revision of the protocol alone, by the year of the revision. */
export const REVISIONS = {
  2025: { versionNegotiation: { mode: 'legacy' } },
  2026: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const satisfies Record<number, ClientOptions>;

/** Connects the client of the official SDK to a gateway until the end of the test. */
export async function connectTo(
  url: string,
  headers: Readonly<Record<string, string>>,
  options: ClientOptions = REVISIONS[2025],
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** A gateway over the knowledge base of test/fixtures, until the end of the test. */
export async function openMcpGateway(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A gateway, a client with its token, and the tools that it lists. */
export async function openMcpScene(options: Partial<GatewayOptions> = {}) {
  const gateway = await openMcpGateway(options);
  const client = await connectTo(gateway.url, { api_token: TOKEN });
  const { tools } = await client.listTools();
  return { gateway, client, tools };
}

interface ToolAnswer {
  readonly isError: boolean;
  /** What stands before the result. */
  readonly notes: readonly string[];
  readonly result: Readonly<Record<string, unknown>>;
}

/** Calls a tool. The text of the result must be its structured content. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const result: ToolAnswer['result'] = Object(structuredContent ?? {});
  if (texts.at(-1) !== JSON.stringify(result)) throw new Error('The text is another than the structured content.');
  return { isError: isError === true, notes: texts.slice(0, -1), result };
}

/** The codes of the errors of a result. */
export const codesOf = ({ result }: ToolAnswer): readonly unknown[] => {
  const { errors } = result;
  return Array.isArray(errors) ? errors.map((error: Readonly<Record<string, unknown>>) => error['code']) : [];
};

/** The token that a preview gave. */
export function tokenOf({ result }: ToolAnswer): string {
  const { previewToken } = result;
  if (typeof previewToken !== 'string') throw new Error(`There is no token: ${JSON.stringify(result)}`);
  return previewToken;
}
