import { readFileSync } from 'node:fs';

/** How the gateway names itself in requests. */
export const userAgent = (): string => `kb-gateway/${packageVersion()}`;

/** The version in package.json. */
export const packageVersion = (): string => String(readManifest()['version'] ?? 'unknown');

/** Names an optional package with the versions that the gateway takes, as `npm install` reads it. */
export const optionalPackage = (name: string): string => `${name}@${Object(readManifest()['peerDependencies'])[name]}`;

/** Reads package.json, which lies two levels above `src/cli`, `dist/command` and `dist/library`. */
const readManifest = (): Readonly<Record<string, unknown>> =>
  Object(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
