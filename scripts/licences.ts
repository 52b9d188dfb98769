import { readLockFile } from './lock-file.ts';

// Lists the licence of every package that is installed with the gateway, and fails on one that is not among these,
// which ask for no more than that their text is kept.
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
]);

/** Accepts SPDX expressions with `OR` and `AND`; other expressions need a person's decision. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/u, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence)));

const [folder = '.'] = process.argv.slice(2);
const packages = readLockFile(folder).filter(({ isDev }) => !isDev);

for (const [licence, group] of Map.groupBy(packages, ({ licence }) => licence ?? 'none stated')) {
  const names = new Set(group.map(({ name, version }) => `${name}@${version}`));
  console.log(
    `${licence} (${names.size})\n${[...names]
      .sort()
      .map((name) => `  ${name}\n`)
      .join('')}`,
  );
}

const rejected = packages.filter(({ licence }) => licence === null || !isAllowed(licence));
for (const { name, version, licence } of rejected) {
  console.error(`${name}@${version}: ${licence ?? 'no licence stated'} is not among ${[...ALLOWED].join(', ')}`);
}
if (rejected.length > 0) process.exitCode = 1;
