import './virtual-modules.ts';
import { parseArgs } from 'node:util';

/* Jobs that are undone beside an editor: node test/simulation/undo-main.ts --from 1 --seeds 300 */

const { values } = parseArgs({
  options: { from: { type: 'string', default: '1' }, seeds: { type: 'string', default: '300' } },
});

// Loaded after the modules that stand for those of Node.
const { simulateUndo } = await import('./undo.ts');

const print = (line: string) => process.stdout.write(`${line}\n`);
const sums = { kills: 0, edits: 0, putBack: 0, changedSince: 0, inWindow: 0 };
const first = Number(values.from);
const count = Number(values.seeds);
let failed = 0;
for (let seed = first; seed < first + count; seed += 1) {
  const { violations, met } = await simulateUndo(seed);
  for (const [name, met_] of Object.entries(met)) Object.assign(sums, { [name]: Reflect.get(sums, name) + met_ });
  if (violations.length === 0) continue;
  failed += 1;
  print(`seed ${seed}: ${violations.slice(0, 5).join('; ')}`);
}
print(JSON.stringify(sums));
print(`${count - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed === 0 ? 0 : 1;
