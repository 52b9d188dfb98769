import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { readShippedPackages } from './shipped-packages.ts';

// Prints the packages that are installed with the gateway or bundled in it as CycloneDX. npm lists all locked packages, and
// those that only developers need are removed here: npm's own `--omit dev` also removes what is bundled.
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
const shipped = new Set((await readShippedPackages('.')).map(({ name, version }) => `${name}@${version}`));
const nameOf = ({ group, name, version }: z.infer<typeof document>['components'][number]) =>
  `${group ? `${group}/` : ''}${name}@${version}`;
const dropped = new Set(
  whole.components.filter((component) => !shipped.has(nameOf(component))).map((component) => component['bom-ref']),
);
const components = whole.components
  .filter((component) => !dropped.has(component['bom-ref']))
  .map((component) => ({
    ...component,
    // npm marks packages that developers need too.
    properties: component.properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
if (components.length !== shipped.size) throw new Error('npm sbom does not list all locked packages.');
const dependencies = whole.dependencies
  .filter(({ ref }) => !dropped.has(ref))
  .map((dependency) => ({ ...dependency, dependsOn: dependency.dependsOn.filter((ref) => !dropped.has(ref)) }));
console.log(JSON.stringify({ ...whole, components, dependencies }, null, 2));
