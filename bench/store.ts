import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/embedded-postgres.ts';
import { toText } from './report/tables.ts';
import { RESULTS_FOLDER } from './sections/build.ts';
import type { EngineName, StoreFigures, StoreReport, StoreRun } from './store/figures.ts';
import { costTable, memoryTable, neighboursTable } from './store/tables.ts';

const HELP = `npm run bench:store -- [--quick] [--sizes LIST] [--seconds N] [--engines LIST] [--postgres SETTINGS]

  --quick     stores of 1,000 and 100,000 articles, a second for each figure
  --sizes     articles in the store (1000,100000,1000000)
  --seconds   how long each figure is measured (3)
  --engines   of SQLite,PostgreSQL
  --postgres  what PostgreSQL has other than its default settings: shared_buffers=2GB,max_wal_size=8GB
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: { quick: flag, help: flag, sizes: text, seconds: text, engines: text, postgres: text },
});
const sizes = (values.sizes ?? (values.quick ? '1000,100000' : '1000,100000,1000000')).split(',').map(Number);
const seconds = values.seconds ?? (values.quick ? '1' : '3');
const settings = Object.fromEntries((values.postgres?.split(',') ?? []).map((setting) => setting.split('=')));
const engines = (values.engines ?? 'SQLite,PostgreSQL').split(',');

/** An empty database, on disk and as durable as in production. */
async function openEngine(engine: EngineName): Promise<{ url: string; close: () => Promise<void> }> {
  if (engine === 'PostgreSQL') {
    const server = await startPostgres(settings);
    return { url: server.url, close: server.stop };
  }
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-bench-'));
  return { url: `sqlite:${join(folder, 'kb.db')}`, close: async () => rmSync(folder, { recursive: true }) };
}

/** Runs a file of bench/store as a process, and returns the figures that it sends. */
async function run(file: string, args: readonly string[]): Promise<StoreFigures | undefined> {
  const script = fileURLToPath(new URL(`./store/${file}`, import.meta.url));
  const child = fork(script, [...args], { execArgv: ['--expose-gc'] });
  let figures: StoreFigures | undefined;
  child.on('message', (sent: StoreFigures) => {
    figures = sent;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} has failed.`);
  return figures;
}

async function measureStore(engine: EngineName, articles: number): Promise<StoreRun> {
  const { url, close } = await openEngine(engine);
  try {
    const start = performance.now();
    await run('fill.ts', [url, String(articles)]);
    const fillSeconds = (performance.now() - start) / 1_000;
    const figures = await run('measure.ts', [url, String(articles), seconds]);
    if (!figures) throw new Error('Nothing was measured.');
    return { engine, articles, fillSeconds, ...figures };
  } finally {
    await close();
  }
}

if (values.help) process.stdout.write(HELP);
else {
  const [cpu] = cpus();
  const loadAverage = loadavg()[0] ?? 0;
  const runs: StoreRun[] = [];
  for (const articles of sizes) {
    for (const engine of ['SQLite', 'PostgreSQL'] as const) {
      if (!engines.includes(engine)) continue;
      const measured = await measureStore(engine, articles);
      runs.push(measured);
      for (const table of [costTable, neighboursTable, memoryTable]) {
        process.stdout.write(`${toText(table([measured]))}\n\n`);
      }
    }
  }
  const report: StoreReport = {
    at: new Date().toISOString(),
    command: ['npm run bench:store', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform}, Node ${process.versions.node}`,
    loadAverage,
    runs,
  };
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  writeFileSync(join(RESULTS_FOLDER, 'store.json'), `${JSON.stringify(report, null, 2)}\n`);
}
