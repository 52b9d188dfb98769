import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPinned, REPOSITORY, type RunningProcess } from '../harness/processes.ts';
import { startTarget } from '../harness/setup.ts';
import { buildGateway } from '../sections/build.ts';
import { OURS } from '../targets.ts';
import type { Ledger } from './ledger.ts';
import { TOKEN } from './mix.ts';
import { openLedgerService } from './service.ts';
import { knowledgeBase, storeLedger } from './store.ts';

/** The compiled gateway on a core of its own, and what is behind it. This process has the clients and the service. */
export interface OverloadScene {
  readonly gateway: RunningProcess;
  readonly ledger: Ledger;
}

/** Milliseconds that the service takes for each call; or the embedded store. */
export type Behind = { readonly latencyMs: number } | 'store';

export async function inOverloadScene<Value>(
  behind: Behind,
  work: (scene: OverloadScene) => Promise<Value>,
): Promise<Value> {
  buildGateway();
  pinToOtherCore();
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-overload-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true }));
  const settings = { LOG_LEVEL: 'warn', API_TOKEN: TOKEN };
  if (behind === 'store') {
    const storeSettings = { ...settings, DATABASE_URL: `sqlite:${join(folder, 'kb.db')}`, DEMO_DATA: 'false' };
    importArticles(join(folder, 'articles.json'), storeSettings);
    const gateway = stack.use(await startTarget(OURS, storeSettings));
    return await work({ gateway, ledger: storeLedger(gateway.port) });
  }
  const service = stack.use(await openLedgerService(behind.latencyMs));
  const gateway = stack.use(await startTarget(OURS, { ...settings, UPSTREAM_URL: service.url }));
  return await work({ gateway, ledger: service });
}

function importArticles(file: string, settings: Readonly<Record<string, string>>): void {
  writeFileSync(file, JSON.stringify(knowledgeBase()));
  const args = [join(REPOSITORY, 'dist/main.js'), 'import', file];
  const { status, stderr } = spawnSync(process.execPath, args, { env: settings, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The import failed:\n${stderr}`);
}

/** The first core is the gateway's. */
function pinToOtherCore(): void {
  if (isPinned) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '1', `${process.pid}`]);
}
