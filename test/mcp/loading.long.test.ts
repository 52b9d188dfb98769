import { describe, expect, it, onTestFinished } from 'vitest';
import { startGatewayProcess } from '../support/process.ts';
import { callTool, connectTo } from './mcp-client.ts';
import { newFolder } from './mcp-process.ts';

/** Prints the module of the SDK that is loaded first. */
const REPORT = `import { registerHooks } from 'node:module';
let isReported = false;
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('@modelcontextprotocol') && !isReported) {
      isReported = true;
      process.stderr.write('MCP was loaded\\n');
    }
    return nextLoad(url, context);
  },
});`;

const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(REPORT)}`;

describe('a gateway', () => {
  it('loads the SDK of MCP at the first message, and not before', async () => {
    const start = async () =>
      startGatewayProcess({ cwd: await newFolder(), settings: { DATABASE_URL: 'sqlite::memory:', NODE_OPTIONS } });
    const [unused, used] = await Promise.all([start(), start()]);
    onTestFinished(async () => {
      await Promise.all([unused.stop('SIGKILL'), used.stop('SIGKILL')]);
    });
    const headers = { 'content-type': 'application/json', api_token: unused.token };
    const response = await fetch(unused.url, {
      method: 'POST',
      headers,
      body: '{"query":"{ projectVersions { name } }"}',
    });
    expect(response.status).toBe(200);
    expect((await unused.stop()).stderr).toBe('');
    const client = await connectTo(new URL(used.url).origin, { api_token: used.token });
    expect((await callTool(client, 'list_project_versions')).isError).toBe(false);
    expect((await used.stop()).stderr).toBe('MCP was loaded\n');
  });
});
