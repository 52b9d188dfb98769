import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFixtureStore, TOKEN } from '../../../../test/support/fixture-store.ts';
import { startGateway } from '../../../../test/support/gateway.ts';
import { API_FILE, needsApiFile } from '../../../../test/support/stand-in-service/api-file.ts';

const run = promisify(execFile);

const PACKAGE = resolve('integrations/openapi');
const GENERATOR = join(PACKAGE, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(PACKAGE, 'node_modules/typescript/bin/tsc');

const COMPILER_OPTIONS = {
  ...{ target: 'esnext', module: 'nodenext', types: [], lib: ['esnext', 'dom', 'dom.iterable'] },
  ...{ noEmit: true, strict: true, skipLibCheck: true, allowImportingTsExtensions: true },
};

describe('a client that is generated from the API file', needsApiFile, () => {
  it.runIf(existsSync(GENERATOR))('compiles, and every operation that the façade serves succeeds', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-rest-client-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await symlink(resolve('integrations/node_modules'), join(cwd, 'node_modules'));
    await copyFile(join(PACKAGE, 'program.ts'), join(cwd, 'program.ts'));
    await writeFile(join(cwd, 'package.json'), '{ "type": "module" }');
    const config = { compilerOptions: COMPILER_OPTIONS, include: ['program.ts'] };
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify(config));
    await run(process.execPath, [GENERATOR, API_FILE, '--output', 'api.d.ts'], { cwd });
    const compiled = await run(process.execPath, [COMPILER], { cwd }).catch(({ stdout }) => ({ stdout }));
    expect(compiled.stdout).toBe('');
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    onTestFinished(() => gateway.close());
    const { stdout } = await run(process.execPath, ['program.ts', gateway.url, TOKEN], { cwd });
    expect(JSON.parse(stdout)).toEqual([]);
  });
});
