import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { REPOSITORY } from './harness/processes.ts';
import { median } from './harness/statistics.ts';
import { FULL_PACE } from './sections/pace.ts';
import { measureWorkload } from './sections/workloads.ts';
import { OURS, type Target } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

/* `npm run bench:telemetry -- [FOLDER]` measures what logs, metrics and traces cost beside a compiled version in FOLDER. */

const SCRAPE_INTERVAL_MS = 5_000;
const METRICS_PORT = '9472';

/** Each pair is of one round, so that disturbances of the machine meet both. */
const PACE = { ...FULL_PACE, rounds: 10, extraRounds: 0, maxSpread: 1 };

const print = (line: string) => process.stdout.write(`${line}\n`);

/** A collector that takes everything. */
async function openCollector() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The collector has no port.');
  return { server, url: `http://127.0.0.1:${address.port}/v1/traces` };
}

function targetsOf(folder: string, tracesUrl: string): readonly Target[] {
  const before = { ...OURS, args: () => [join(folder, 'dist/main.js'), 'serve'] };
  const everything = {
    LOG_LEVEL: 'info',
    METRICS_PORT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  };
  return [
    { ...before, name: 'the other version, LOG_LEVEL=warn', env: { LOG_LEVEL: 'warn' } },
    { ...OURS, name: 'LOG_LEVEL=warn', env: { LOG_LEVEL: 'warn' } },
    { ...OURS, name: 'a line per request', env: { LOG_LEVEL: 'info' } },
    { ...OURS, name: 'the same, 10 % of traces, metrics scraped', env: everything },
  ];
}

async function scrape(): Promise<void> {
  await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
}

const folder = resolve(process.argv[2] ?? REPOSITORY);
execFileSync('npm', ['run', 'build'], { cwd: REPOSITORY, stdio: 'ignore' });
const collector = await openCollector();
const targets = targetsOf(folder, collector.url);
// Fails while the gateway starts.
const scraping = setInterval(() => void scrape().catch(() => {}), SCRAPE_INTERVAL_MS);
const rows = await measureWorkload(WORKLOADS.W1, { targets, pace: PACE });
clearInterval(scraping);
collector.server.close();
const [baseline] = rows;
print('CPU per request under W1, in µs, and the median of its ratios to the first of the same round');
for (const { target, cpuPerRequest, cpuOfRounds, spread } of rows) {
  const ratios = cpuOfRounds.map((cpu, round) => cpu / (baseline?.cpuOfRounds[round] ?? Number.NaN));
  const figures = [cpuPerRequest.toFixed(1), median(ratios).toFixed(2), `spread ${spread.toFixed(2)}`];
  print([target.padEnd(44), ...figures.map((figure) => figure.padStart(7))].join('  '));
}
