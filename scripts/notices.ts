import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';

/** Licences that ask for no more than that their text is kept. */
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

export const ALLOWED_LICENCES = [...ALLOWED].join(', ');

/** Accepts SPDX expressions with `OR` and `AND`; other expressions need a person's decision. */
export const isAllowedLicence = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/u, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence)));

/** The folders of the packages that are bundled, from the paths of their modules. */
const foldersOf = (chunks: readonly OutputChunk[]): ReadonlySet<string> =>
  new Set(
    chunks
      .flatMap(({ moduleIds }) => moduleIds)
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(id) ?? []),
  );

/** The name and version of a package with the text of its licence, which must be kept with every copy. */
function noticeOf(folder: string, check: (nameAndVersion: string) => void): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  check(`${name}@${version}`);
  if (!isAllowedLicence(license)) throw new Error(`${name}@${version}: ${license} is not among ${ALLOWED_LICENCES}`);
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)\b/iu.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
}

/** Writes the licences of all packages that are bundled. The check throws for a package that must not be among them. */
export function writeNotices(
  chunks: readonly OutputChunk[],
  path: string,
  check: (nameAndVersion: string) => void = () => {},
): void {
  const notices = new Set([...foldersOf(chunks)].map((folder) => noticeOf(folder, check)).sort());
  writeFileSync(path, `${[...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}
