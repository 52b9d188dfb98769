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

export interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author?: string | { readonly name: string };
}

type Modules = Pick<OutputChunk, 'moduleIds'>;

/** The packages that are bundled, from the paths of their modules. */
export function packagesOf(chunks: readonly Modules[]): readonly BundledPackage[] {
  const ids = chunks.flatMap(({ moduleIds }) => moduleIds);
  const folders = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(id) ?? []);
  return [...new Set(folders)].map((folder) => ({
    ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    folder,
  }));
}

/** The text of the MIT licence for a package that states it, and lacks the file. */
function mitTextOf({ name, version, license, author }: BundledPackage): string {
  if (license !== 'MIT') throw new Error(`${name}@${version} has no file with the text of its licence, ${license}.`);
  const holder = (typeof author === 'object' ? author.name : author) ?? `the authors of ${name}`;
  return readFileSync('LICENSE', 'utf8')
    .trim()
    .replace(/^Copyright .*$/mu, `Copyright (c) ${holder}`);
}

/** The name and version of a package with the text of its licence, which must be kept with every copy. */
function noticeOf(bundled: BundledPackage): string {
  const { folder, name, version, license } = bundled;
  if (!isAllowedLicence(license)) throw new Error(`${name}@${version}: ${license} is not among ${ALLOWED_LICENCES}`);
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)\b/iu.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0) texts.push(mitTextOf(bundled));
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
}

/** Writes the licences of all packages that are bundled. */
export function writeNotices(chunks: readonly Modules[], path: string): void {
  const notices = new Set(packagesOf(chunks).map(noticeOf).sort());
  writeFileSync(path, `${[...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** Writes the packages that are bundled as a CycloneDX document, which scanners of files read. */
export function writeComponents(chunks: readonly Modules[], path: string): void {
  const components = packagesOf(chunks).map(({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: license }],
  }));
  const sorted = components.sort((a, b) => (a.purl < b.purl ? -1 : 1));
  writeFileSync(
    path,
    `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components: sorted }, null, 2)}\n`,
  );
}
