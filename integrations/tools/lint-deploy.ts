/**
 * Checks the files that deploy the gateway, in the given folder or this one: the Dockerfile, the compose files, and the
 * values and names of the Kubernetes manifests, those of options included. Nothing is built or started.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { validate } from 'dockerfile-utils';
import { parseAllDocuments } from 'yaml';

const [folder = '.'] = process.argv.slice(2);
const KUBERNETES = join(folder, 'deploy/kubernetes');
const KUSTOMIZATION = 'kustomization.yaml';
/** The folder that the others build on. */
const BASE = 'gateway';
const KUSTOMIZED = readdirSync(KUBERNETES);
/** The API groups that a cluster has only where somebody has added them. */
const CUSTOM_MODELS: Readonly<Record<string, string>> = {
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};
const modelsOf = (apiVersion: string): string => CUSTOM_MODELS[apiVersion] ?? `kubernetes-models/${apiVersion}`;

interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: object;
}

function lintDockerfile(): readonly string[] {
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');
  const found = validate(dockerfile);
  return [
    ...found.map(({ range, message }) => `Dockerfile:${range.start.line + 1}: ${message}`),
    ...missingLabels(dockerfile),
  ];
}

/** The labels of the image (OCI image specification, "Annotations") say what package.json says. */
function missingLabels(dockerfile: string): readonly string[] {
  const { name, description, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const expected = { title: name, description, version, licenses: license };
  return Object.entries(expected)
    .map(([label, value]) => `org.opencontainers.image.${label}="${value}"`)
    .filter((label) => !dockerfile.includes(label))
    .map((label) => `Dockerfile: the label ${label} is missing`);
}

const lintCompose = (): readonly string[] =>
  [folder, join(folder, 'deploy/compose')]
    .flatMap((place) => readdirSync(place).map((file) => join(place, file)))
    .filter((path) => /\/compose\.[^/]*yaml$/u.test(`/${path}`))
    .flatMap((path) => failureOf('dclint', ['--config', '.dclintrc.json', '--max-warnings', '0', path]));

/** The manifests next to a kustomization. */
const manifestsOf = (kustomized: string): readonly string[] =>
  readdirSync(join(KUBERNETES, kustomized))
    .filter((file) => file !== KUSTOMIZATION)
    .sort();

function readManifests(): readonly Manifest[] {
  const files = KUSTOMIZED.flatMap((kustomized) => manifestsOf(kustomized).map((file) => join(kustomized, file)));
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(KUBERNETES, file), 'utf8'), { strict: true }).map((document) => {
      const [problem] = document.errors;
      if (problem) throw new Error(`${file}: ${problem.message}`);
      const value = document.toJS();
      return { file, apiVersion: String(value?.apiVersion), kind: String(value?.kind), value };
    }),
  );
}

/** Checks the types, formats and ranges of the values. */
async function lintValues({ file, apiVersion, kind, value }: Manifest): Promise<readonly string[]> {
  try {
    const models = await import(modelsOf(apiVersion));
    new models[kind](value).validate();
    return [];
  } catch (error) {
    return [`${file}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Finds names that the Kubernetes API does not have, such as misspelt ones, by the compiler. */
function lintNames(manifests: readonly Manifest[]): readonly string[] {
  const scratch = resolve('integrations/node_modules/.cache/kb-gateway');
  const lines = manifests.flatMap(({ apiVersion, kind, value }, n) => [
    `import type { I${kind} as Kind${n} } from '${modelsOf(apiVersion)}';`,
    `export const manifest${n}: Kind${n} = ${JSON.stringify(value, null, 2)};`,
  ]);
  mkdirSync(scratch, { recursive: true });
  const path = join(scratch, 'manifests.ts');
  writeFileSync(path, lines.join('\n'));
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false'];
  const problems = failureOf('tsc', [...options, '--module', 'nodenext', '--target', 'esnext', path]);
  rmSync(path);
  return problems;
}

function lintKustomization(kustomized: string): readonly string[] {
  const path = join(kustomized, KUSTOMIZATION);
  const [document] = parseAllDocuments(readFileSync(join(KUBERNETES, path), 'utf8'), { strict: true });
  const { kind, resources: listed } = document?.toJS() ?? {};
  const isWhole = kustomized !== BASE && kind !== 'Component';
  const expected = [...(isWhole ? [`../${BASE}`] : []), ...manifestsOf(kustomized)];
  return JSON.stringify(listed) === JSON.stringify(expected)
    ? []
    : [`${path}: resources must be ${expected.join(', ')}`];
}

/** The output of a linter that fails. */
function failureOf(command: string, args: readonly string[]): readonly string[] {
  try {
    execFileSync(resolve('integrations/node_modules/.bin', command), args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = error instanceof Error ? { stdout: '', stderr: '', ...error } : {};
    return [`${command}: ${stdout}${stderr}`.trim()];
  }
}

const manifests = readManifests();
const values = await Promise.all(manifests.map(lintValues));
const problems = [
  ...lintDockerfile(),
  ...lintCompose(),
  ...KUSTOMIZED.flatMap(lintKustomization),
  ...values.flat(),
  ...lintNames(manifests),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
