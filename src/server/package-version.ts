import { readFileSync } from 'node:fs';

/** The header `User-Agent` of the gateway's requests. */
export const userAgent = (): string => `kb-gateway/${packageVersion()}`;

/** The version in package.json, two levels above this folder and above the folders of the bundles in `dist`. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
