import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { readLockFile } from './lock-file.ts';

// Prints what is installed with the gateway as CycloneDX. npm makes it of everything that is locked, and we take out what only
// developers need: its own `--omit dev` leaves out whatever they need too, graphql for one.
const document = z.looseObject({
  components: z.array(
    z.looseObject({
      'bom-ref': z.string(),
      group: z.string().optional(),
      name: z.string(),
      version: z.string(),
      properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);

const whole = document.parse(JSON.parse(stdout));
const installed = new Set(
  readLockFile('.')
    .filter(({ isDev }) => !isDev)
    .map(({ name, version }) => `${name}@${version}`),
);
const nameOf = ({ group, name, version }: z.infer<typeof document>['components'][number]) =>
  `${group ? `${group}/` : ''}${name}@${version}`;
const dropped = new Set(
  whole.components.filter((component) => !installed.has(nameOf(component))).map((component) => component['bom-ref']),
);
const components = whole.components
  .filter((component) => !dropped.has(component['bom-ref']))
  .map((component) => ({
    ...component,
    // npm says so of what developers need too.
    properties: component.properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
if (components.length !== installed.size) throw new Error('npm sbom does not name all that is locked.');
const dependencies = whole.dependencies
  .filter(({ ref }) => !dropped.has(ref))
  .map((dependency) => ({ ...dependency, dependsOn: dependency.dependsOn.filter((ref) => !dropped.has(ref)) }));
console.log(JSON.stringify({ ...whole, components, dependencies }, null, 2));
