import { readLockFile } from './lock-file.ts';

// Lists the licence of every package that is installed with the gateway, and fails where one is none of these: they ask
// for no more than that their text is kept.
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

/** An SPDX expression of licences, `OR` and `AND`; what has more to it is for a person to judge. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/u, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence)));

const [folder = '.'] = process.argv.slice(2);
const packages = readLockFile(folder).filter(({ isDev }) => !isDev);

for (const [licence, those] of Map.groupBy(packages, ({ licence }) => licence ?? 'none stated')) {
  const names = new Set(those.map(({ name, version }) => `${name}@${version}`));
  console.log(
    `${licence} (${names.size})\n${[...names]
      .sort()
      .map((name) => `  ${name}\n`)
      .join('')}`,
  );
}

const refused = packages.filter(({ licence }) => licence === null || !isAllowed(licence));
for (const { name, version, licence } of refused) {
  console.error(`${name}@${version}: ${licence ?? 'no licence stated'} is not among ${[...ALLOWED].join(', ')}`);
}
if (refused.length > 0) process.exitCode = 1;
