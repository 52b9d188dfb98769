import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEEDS_INTEGRATIONS } from '../support/mounts.ts';
import { runCommand, runUntil } from '../support/old-node.ts';
import { startGatewayProcess } from '../support/process.ts';
import { documentedCommands } from './commands.ts';
import { FOLLOWED_PAGES } from './pages.ts';
import { readPages } from './repository-texts.ts';

/** True for commands that test/docs/pages.long.test.ts runs, which leaves those of npm to this test. */
const isElsewhere = (page: string, command: string) => FOLLOWED_PAGES.includes(page) && !/\bnpm /u.test(command);

const commands = [...(await readPages())].flatMap(([page, text]) =>
  documentedCommands(new Map([[page, text]])).filter((command) => !isElsewhere(page, command)),
);

/** The commands that do not run here, and why. */
const NOT_RUN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^npm test$|^npm run (?:check|test:all|typecheck|lint(?::graphql)?|install-scripts|schema:gate)$/u,
    'CI runs it, this test with it',
  ],
  [/^npm run (?:format|codegen|reference|schema(?: .*)?)$/u, 'it changes the sources, and CI runs it with --check'],
  [/^npm run (?:lint:deploy|licences|sbom|schema:release)$/u, 'test/deploy.test.ts and test/scripts run it'],
  [/^npm run compatibility$/u, 'integrations/test/clients/compatibility runs it with --check'],
  [/^npm run bench/u, 'it measures for minutes'],
  [/^npm run test:|^npx vitest /u, 'it runs for minutes, and its parts have tests'],
  [/^npm run changeset\b/u, 'it asks questions, and raises versions'],
  [/^npm ci\b|^npm install --loglevel/u, 'it replaces the packages that run this test'],
  [/^npm run docs(?::build)?$/u, 'it installs packages; test/docs/site.long.test.ts builds and serves the site'],
  [/^npm install kb-gateway$|^npx kb-gateway$/u, 'test/package.long.test.ts installs the package'],
  [/^npm pack$|^kb-gateway |^node (?:--enable-source-maps )?dist\//u, 'test/package.long.test.ts runs the package'],
  [/^npx -y -p kb-gateway /u, 'test/bundle.long.test.ts installs the package with its peers'],
  [/^npm run build$/u, 'npm pack runs it, for test/package.long.test.ts'],
  [/^node --use-system-ca$/u, 'it is an option for the command that starts a gateway'],
  [/^node --build-snapshot$/u, 'decision 38 says why it is not used'],
  [/\bdocker compose |^kubectl /u, 'it needs Docker or a cluster; test/deploy.test.ts checks the files'],
  [
    /npm run (?:--silent )?example:(?:reviews|compose)|^node integrations\//u,
    'test/federation/routers.long.test.ts runs it',
  ],
  [/^curl -O |^npx (?:gql\.tada|graphql-codegen) /u, 'it is for a project of a client, whose snippets have tests'],
  [/^node test\/jobs\/state\/write-form\.ts /u, 'it writes a fixture, which test/jobs/state/forms.test.ts reads'],
  [/\bnpm run check-service\b/u, 'it asks the service; test/cli/check-service runs it'],
  [/^npm audit$/u, 'it asks a registry'],
  [/^npm run init -- …$/u, 'test/docs/tutorial.long.test.ts runs the command of the package'],
  [/^CONSOLE_OIDC_ISSUER=/u, 'these are settings, without a command'],
  [/^(?:pg_dump|pg_restore|psql) /u, 'it is a tool of PostgreSQL, which is not part of the repository'],
];

const notRun = (command: string) => NOT_RUN.some(([pattern]) => pattern.test(command));
const run = [...new Set(commands)].filter((command) => !notRun(command)).sort();

let folder: string;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-commands-'));
  settings = { PORT: '0', DATABASE_URL: `sqlite:${folder}/kb.db` };
  await writeFile(join(folder, 'persisted-documents.json'), '{ "names": "{ projectVersions { name } }" }');
});

afterAll(() => rm(folder, { recursive: true }));

/** Replaces what a reader fills in, and keeps the packages as they are. */
const filledIn = (command: string, file: string) =>
  command
    .replace('npm install', 'npm install --dry-run --prefer-offline')
    .replaceAll('…', 'some-token')
    .replace('=persisted-documents.json', `=${join(folder, 'persisted-documents.json')}`)
    .replace('FILE', `'${file}'`);

describe('a documented command, on the Node of the machine', () => {
  it('runs here, or has a reason why it does not', () => {
    expect(run.length).toBeGreaterThan(8);
    for (const [pattern] of NOT_RUN) expect(commands.filter((command) => pattern.test(command))).not.toEqual([]);
    // Without npm, a command runs on a Node that may be too old for the sources.
    expect(run.filter((command) => !/(?:^| )npm (?:install|start|run) ?/u.test(command))).toEqual([]);
  });

  it.each(run.filter((command) => /npm (?:start|run dev)$/u.test(command)))('serves: %s', async (command) => {
    const output = await runUntil(/"message":"listening"/u, filledIn(command, ''), settings);
    expect(output).toMatch(/^\{.*"url":"http:/mu);
    expect(output).not.toMatch(/EBADENGINE|warn/u);
  });

  it('prints the settings', async () => {
    const command = run.find((name) => name.endsWith('--config-check')) ?? '';
    expect(await runCommand(command, settings)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`DATABASE_URL=sqlite:${folder}/kb.db\n`),
      stderr: '',
    });
  });

  it('prints a JWT for trying', async () => {
    const command = run.find((name) => name.startsWith('npm run dev-jwt -- ')) ?? '';
    expect(await runCommand(command, settings)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/mu),
      stderr: expect.stringContaining('CLIENT_JWT_ISSUER=kb-gateway-dev'),
    });
  });

  it('imports, exports and backs up', async () => {
    expect(run).toEqual(
      expect.arrayContaining(['import', 'export', 'backup'].map((name) => `npm run ${name} -- FILE`)),
    );
    const runOn = (name: string, file: string) => runCommand(filledIn(`npm run ${name} -- FILE`, file), settings);
    const imported = await runOn('import', 'test/fixtures/knowledge-base.json');
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^articles +\d/mu), stderr: '' });
    for (const [name, file] of [
      ['export', 'exported.json'],
      ['backup', 'backup.db'],
    ] as const) {
      const written = join(folder, file);
      expect(await runOn(name, written)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(written),
        stderr: '',
      });
    }
  });

  describe.each([
    ['example:client', '1 of 1 articles were updated.', {}],
    ['example:apollo', 'pair-a-lamp was updated.', NEEDS_INTEGRATIONS],
  ])('of the example client %s', (script, expected, options) => {
    it('updates an article', options, async () => {
      const command = run.find((name) => name.includes(`npm run ${script} `));
      const gateway = await startGatewayProcess({
        cwd: folder,
        settings: { PORT: '0', DATABASE_URL: 'sqlite::memory:', API_TOKEN: 'some-token' },
      });
      const finished = await runCommand(filledIn(command ?? '', ''), { GATEWAY_URL: gateway.url });
      await gateway.stop();
      expect(finished).toMatchObject({ code: 0, stdout: expect.stringContaining(expected) });
    });
  });

  it('installs quietly', async () => {
    const { code, stdout, stderr } = await runCommand(filledIn('npm install', ''));
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('EBADENGINE');
  });

  it('is one of those above', () => {
    const others = run.filter(
      (command) =>
        !/(?:npm start|npm run dev|npm run dev-jwt(?: -- --scope "[a-z: ]+")?|--config-check|(?:import|export|backup) -- FILE)$/u.test(
          command,
        ),
    );
    expect(others).toEqual([
      expect.stringContaining('npm run example:apollo'),
      expect.stringContaining('npm run example:client'),
      'npm install',
    ]);
  });
});
