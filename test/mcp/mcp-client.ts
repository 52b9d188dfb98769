import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

/** Connects the client of the official SDK to a gateway until the end of the test. */
export async function connectTo(url: string, headers: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** The result of a call, whose structured content the client has checked against the output schema of the tool. */
export interface CheckedResult {
  readonly isError: boolean;
  readonly notes: readonly string[];
  readonly content: Readonly<Record<string, never>> & { readonly [name: string]: unknown };
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult> {
  // The client knows the output schemas only after it has listed the tools.
  const result = await client.callTool({ name, arguments: args });
  return CallToolResultSchema.parse(result);
}
