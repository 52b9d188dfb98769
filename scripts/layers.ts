import { existsSync } from 'node:fs';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { configuration } from '../layers.ts';

// Prints every import that layers.ts forbids, and fails where there is one.

const FOLDERS = ['src', 'console', 'bench', 'scripts', 'test', 'integrations/test', 'integrations/tools'].filter(
  (folder) => existsSync(folder),
);

const { options, ...ruleSet } = configuration;
const { output } = await cruise(FOLDERS, { ...options, ruleSet, validate: true });
const { modules, summary } = output as ICruiseResult;

for (const { rule, from, to, cycle } of summary.violations) {
  const circle = cycle?.map(({ name }) => name).join(' → ') ?? to;
  console.error(`${from} → ${circle}: ${rule.name} (layers.ts, docs/decisions/0001-layers.md)`);
}

/** The two folders, or files, that lie beside each other on the way to both; null where one lies within the other. */
function siblingsOf(from: string, to: string): readonly [string, string] | null {
  const [one, other] = [from.split('/'), to.split('/')];
  const depth = one.findIndex((part, index) => part !== other[index]);
  const [first, second] = [one, other].map((parts) => parts.slice(0, depth + 1).join('/'));
  if (first === undefined || second === undefined || first.endsWith('.ts') || second.endsWith('.ts')) return null;
  return [first, second];
}

const examples = new Map<string, string>();
for (const { source, dependencies } of modules) {
  for (const { resolved } of dependencies) {
    const siblings = resolved.startsWith('src/') ? siblingsOf(source, resolved) : null;
    if (siblings !== null) examples.set(siblings.join(' → '), `${source} → ${resolved}`);
  }
}
let hasSiblings = false;
for (const [pair, example] of examples) {
  const [from = '', to = ''] = pair.split(' → ');
  const back = examples.get(`${to} → ${from}`);
  if (back === undefined || from > to) continue;
  hasSiblings = true;
  console.error(
    `${from} and ${to} import each other: ${example}, and ${back} (docs/decisions/0046-door-pipelines-ledger.md)`,
  );
}
if (summary.violations.length > 0 || hasSiblings) process.exitCode = 1;
