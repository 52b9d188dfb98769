import { readFileSync } from 'node:fs';

/** How the gateway names itself in requests. */
export const userAgent = (): string => `kb-gateway/${packageVersion()}`;

/** The version in package.json, which lies two levels above `src/cli`, `dist/command` and `dist/library`. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
