import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { BENCH_FOLDER, isPinned } from '../harness/processes.ts';
import type { Run } from './report.ts';

const MEASURED_PACKAGES = [
  'mercurius',
  'fastify',
  'undici',
  '@apollo/server',
  '@apollo/datasource-rest',
  '@graphql-hive/gateway',
  'graphql-http',
  'postgraphile',
  'graphql',
];

export function describeMachine(): string {
  const [cpu] = cpus();
  const cores = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}`;
  const pinned = isPinned ? ', a core for what is measured' : '';
  return `${cores}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${process.platform}${pinned}`;
}

export function describeRun(command: string): Run {
  return {
    at: new Date().toISOString(),
    command,
    machine: describeMachine(),
    versions: [`Node ${process.versions.node}`, ...MEASURED_PACKAGES.map((name) => `${name} ${versionOf(name)}`)].join(
      ', ',
    ),
    loadAverage: { before: loadAverage(), atEnd: loadAverage() },
  };
}

/** The run with the load average at the end of a section. */
export const atSectionEnd = (run: Run): Run => ({ ...run, loadAverage: { ...run.loadAverage, atEnd: loadAverage() } });

const loadAverage = () => loadavg()[0] ?? 0;

function versionOf(name: string): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(BENCH_FOLDER, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return version;
}
