import { parseArgs } from 'node:util';
import { startPostgres } from '../support/embedded-postgres.ts';
import { print, require } from '../support/figures.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { runGateways } from './run-gateways.ts';

/*
 * `npm run test:gateways -- [--seed N] [--minutes M] [--gateways G]`: gateways with one state in PostgreSQL, which are
 * killed, stopped and cut off from it while clients read and write through any of them. Ends with 1 when a read is older
 * than it may be, when a write is lost or was sent twice, or when something does not end. With `--alone` there is one
 * gateway that shares no state, and has no troubles but those of the service. The tests in this folder are short runs.
 */
const MINUTE_MS = 60_000;
/** The most findings that are printed. */
const SHOWN = 20;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    gateways: { type: 'string', default: '3' },
    alone: { type: 'boolean', default: false },
  },
});
const [seed, minutes, gateways] = [Number(values.seed), Number(values.minutes), Number(values.gateways)];
if (!Number.isInteger(seed) || seed < 1) throw new Error('--seed must be a whole number from 1.');
if (!(minutes > 0 && minutes <= 1_440)) throw new Error('--minutes must be above 0, and at most 1440.');
if (!(Number.isInteger(gateways) && gateways >= 1 && gateways <= 20))
  throw new Error('--gateways must be from 1 to 20.');

const server = values.alone ? null : await startPostgres({});
try {
  const stateUrl = server && (await createPostgresDatabase(server.url)).url;
  const report = await runGateways({
    seed,
    stateUrl,
    gateways: stateUrl === null ? 1 : gateways,
    ms: minutes * MINUTE_MS,
  });
  const { reads, hits, failedReads, acknowledged, unsent, unknown, edits } = report.counts;
  const troubles = Object.entries(report.troubles).map(([name, count]) => `${name} ${count}`);
  print(
    `seed ${seed}, ${values.alone ? 'one gateway alone' : `${gateways} gateways`}, ${minutes} minutes; troubles: ${troubles.join(', ')}`,
  );
  print(`  ${reads} reads, ${hits} of them from a cache; ${failedReads} failed; ${edits} edits made elsewhere`);
  print(`  writes: ${acknowledged} acknowledged, ${unsent} not sent, ${unknown} unknown`);
  print(`  ${report.calls} calls to the service, and ${report.refused} refused with 429`);
  require(`${report.findings.length} findings`, report.findings.length === 0);
  for (const finding of report.findings.slice(0, SHOWN)) print(`  ${finding}`);
} finally {
  await server?.stop();
}
