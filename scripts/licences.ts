import { ALLOWED_LICENCES, isAllowedLicence } from './notices.ts';
import { readShippedPackages } from './shipped-packages.ts';

// Lists the licence of every package that is installed with the gateway or bundled in it, and fails on one that is not
// allowed.

const [folder = '.'] = process.argv.slice(2);
const packages = await readShippedPackages(folder);

for (const [licence, group] of Map.groupBy(packages, ({ licence }) => licence ?? 'none stated')) {
  const names = new Set(group.map(({ name, version }) => `${name}@${version}`));
  console.log(
    `${licence} (${names.size})\n${[...names]
      .sort()
      .map((name) => `  ${name}\n`)
      .join('')}`,
  );
}

const rejected = packages.filter(({ licence }) => licence === null || !isAllowedLicence(licence));
for (const { name, version, licence } of rejected) {
  console.error(`${name}@${version}: ${licence ?? 'no licence stated'} is not among ${ALLOWED_LICENCES}`);
}
if (rejected.length > 0) process.exitCode = 1;
