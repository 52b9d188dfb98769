import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of the package, as it is published. */
    readonly tarball: string;
  }
}

/** Packs the package. A build empties its folder first, so no two may run at a time. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-tarball-'));
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', folder]);
  const [, filename = ''] = /"filename": "(?<name>[^"]+)"/u.exec(stdout) ?? [];
  provide('tarball', join(folder, filename));
  return () => rm(folder, { recursive: true });
}
