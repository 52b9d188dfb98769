import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGateway, startGatewayProcess } from './process.ts';

export type CommandFolder = Awaited<ReturnType<typeof openCommandFolder>>;

/** A new folder with a gateway process over the store in it, and the commands that reach that gateway from there. */
export async function openCommandFolder(knowledgeBase?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-commands-'));
  if (knowledgeBase !== undefined) {
    await writeFile(join(folder, 'kb.json'), knowledgeBase);
    const { code, stderr } = await runGateway(['import', 'kb.json'], { cwd: folder });
    if (code !== 0) throw new Error(stderr);
  }
  const gateway = await startGatewayProcess({ cwd: folder });
  const settings = { KB_API_TOKEN: gateway.token, KB_GATEWAY_URL: gateway.url };
  const run = (...args: readonly string[]) => runGateway(args, { cwd: folder, settings });
  return {
    folder,
    run,
    /** Runs `bulk-update`. */
    update: (...args: readonly string[]) => run('bulk-update', ...args),
    ask: async (query: string) => {
      const headers = { 'content-type': 'application/json', 'x-api-token': gateway.token };
      const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
      return Object(await response.json()).data;
    },
    async close() {
      await gateway.stop();
      await rm(folder, { recursive: true });
    },
  };
}
