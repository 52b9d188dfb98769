import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-supply-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (script: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts', script), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

function lock(packages: Readonly<Record<string, object>>, allowScripts?: object): void {
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } }),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ allowScripts }));
}

describe('npm run licences', () => {
  it('lists the packages that are installed with the gateway, all under permissive licences', () => {
    const { status, stdout, stderr } = run('licences.ts');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^MIT \(\d+\)$/mu);
    expect(stdout).toMatch(/^ {2}jose@\d/mu);
    expect(stdout).not.toMatch(/^ {2}vitest@/mu);
  });

  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'GPL-2.0 OR Apache-2.0', 'MIT AND ISC'])('accepts %s', (license) => {
    lock({ 'node_modules/a': { version: '1.0.0', license } });
    expect(run('licences.ts', folder)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE', undefined])('fails on %s', (license) => {
    lock({ 'node_modules/b/node_modules/@scope/a': { version: '1.0.0', license } });
    const { status, stderr } = run('licences.ts', folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^@scope\/a@1\.0\.0: /u);
  });

  it('ignores packages that only developers need', () => {
    lock({ 'node_modules/a': { version: '1.0.0', license: 'GPL-3.0-only', dev: true } });
    expect(run('licences.ts', folder)).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('npm run install-scripts', () => {
  beforeEach(() => lock({}));

  it('finds every install script of this repository reviewed', () => {
    expect(run('install-scripts.ts', '.', 'bench', 'integrations')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  const withScript = { 'node_modules/a': { version: '1.2.3', hasInstallScript: true, dev: true, optional: true } };

  it('fails on one that was not reviewed, even of an optional package for developers', () => {
    lock(withScript, { b: true, 'a@1.2.4': true });
    const { status, stderr } = run('install-scripts.ts', folder);
    expect(status).toBe(1);
    expect(stderr).toContain('a@1.2.3 has an install script');
  });

  it.each([{ a: true }, { a: false }, { 'a@1.2.3': true }])('accepts %j', (allowScripts) => {
    lock(withScript, allowScripts);
    expect(run('install-scripts.ts', folder)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('npm run sbom', () => {
  it('prints a CycloneDX document of exactly the packages that are installed with the gateway', () => {
    const { status, stdout } = run('sbom.ts');
    expect(status).toBe(0);
    const { bomFormat, components } = JSON.parse(stdout);
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }: { name: string }) => name);
    // Developers need graphql too, the console holds react-dom, and the image has Zipkin.
    expect(names).toEqual(expect.arrayContaining(['jose', 'graphql', 'pg', 'dataloader', 'react-dom']));
    expect(components.some(({ purl }: { purl: string }) => purl.includes('exporter-zipkin'))).toBe(true);
    const listed = run('licences.ts').stdout.match(/^ {2}\S+$/gmu) ?? [];
    expect(components).toHaveLength(listed.length);
    expect(names).not.toContain('vitest');
  });
});
