import './virtual-modules.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '300' },
  },
});

// Loaded after the modules that stand for those of Node.
const { simulate } = await import('./simulate.ts');

const print = (line: string) => process.stdout.write(`${line}\n`);

const isSingle = values.seed !== undefined;
const first = Number(values.seed ?? values.from);
const last = isSingle ? first : first + Number(values.seeds) - 1;
const sums = { runs: 0, steps: 0, kills: 0, received: 0, rateLimited: 0, unknown: 0, readBack: 0 };
let failed = 0;
for (let seed = first; seed <= last; seed += 1) {
  const report = await simulate(seed);
  sums.runs += 1;
  sums.steps += report.steps;
  sums.kills += report.met.kills;
  sums.received += report.met.received;
  sums.rateLimited += report.met.rateLimited;
  sums.unknown += report.met.unknown;
  sums.readBack += report.met.readBack;
  if (isSingle) print(JSON.stringify(report, null, 2));
  if (report.violations.length === 0) continue;
  failed += 1;
  print(`seed ${seed}: ${report.violations.slice(0, 5).join('; ')}`);
  print(`  again: npm run test:simulate -- --seed ${seed}`);
}
print(JSON.stringify(sums));
print(`${sums.runs - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed === 0 ? 0 : 1;
