import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { configuration } from '../layers.ts';

// Prints every import of src that layers.ts forbids, and fails where there is one.

const { options, ...ruleSet } = configuration;
const { output } = await cruise(['src'], { ...options, ruleSet, validate: true });
const { violations } = (output as ICruiseResult).summary;

for (const { rule, from, to, cycle } of violations) {
  const circle = cycle?.map(({ name }) => name).join(' → ') ?? to;
  console.error(`${from} → ${circle}: ${rule.name} (layers.ts, docs/decisions/0001-layers.md)`);
}
if (violations.length > 0) process.exitCode = 1;
