import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER, REPOSITORY } from '../harness/processes.ts';
import { COMPILED_OPEN_LOOP, COMPILED_PROBE, COMPILED_UPSTREAM } from '../harness/setup.ts';
import { HIVE_SUPERGRAPH } from '../targets.ts';

/** The folder of figures, profiles and databases of runs, which is not in git. */
export const RESULTS_FOLDER = join(BENCH_FOLDER, 'results');

const ROLLDOWN = join(REPOSITORY, 'node_modules/rolldown/bin/cli.mjs');

const LOCK = join(BENCH_FOLDER, 'package-lock.json');
/** A copy of the lock file from which the peers were installed. */
const INSTALLED_LOCK = join(BENCH_FOLDER, 'node_modules/.installed-lock.json');

/** Compiles kb-gateway, and what the benchmark runs compiled. */
export function buildGateway(): void {
  run('npm', ['--prefix', REPOSITORY, 'run', 'build']);
  compileProbe();
  compileTimed();
}

/** Compiles the probe that is loaded into each target. */
export const compileProbe = (): void => compile('harness/probe.ts', COMPILED_PROBE);

/** Compiles the processes of a `TimedSetup`. */
export function compileTimed(): void {
  compile('harness/open-loop.ts', COMPILED_OPEN_LOOP);
  compile('harness/upstream.ts', COMPILED_UPSTREAM);
}

const compile = (file: string, compiled: string): void =>
  run(process.execPath, [ROLLDOWN, file, '--platform', 'node', '--file', compiled]);

/** Compiles kb-gateway, installs the peers if the lock file has changed, and composes Hive's supergraph. */
export function build(): void {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  buildGateway();
  const lock = readFileSync(LOCK, 'utf8');
  if (!existsSync(INSTALLED_LOCK) || readFileSync(INSTALLED_LOCK, 'utf8') !== lock) {
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    writeFileSync(INSTALLED_LOCK, lock);
  }
  composeSupergraph();
}

/** Derives the schema of Hive Gateway from the OpenAPI document of the service. */
export function composeSupergraph(): void {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  const compose = join(BENCH_FOLDER, 'node_modules/@graphql-mesh/compose-cli/esm/bin.js');
  run(process.execPath, [compose, '--config-path', 'peers/hive/mesh.config.ts', '--output', HIVE_SUPERGRAPH]);
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: BENCH_FOLDER, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
