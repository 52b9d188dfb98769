import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { demoKnowledgeBase } from '../src/backend/local/import/demo/demo-knowledge-base.ts';
import { openLocalBackend } from '../src/backend/local/local-backend.ts';
import { HELP } from '../src/cli/help.ts';
import { silentLog } from '../src/domain/log.ts';
import { startGateway } from './support/gateway.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'su').exec(readme)?.[1] ?? '';

describe('the README', () => {
  it('shows a mutation and its exact result over the demo', async () => {
    const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: ['t'], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    const gateway = await startGateway({ backend, local: true, token: 't' });
    const { body } = await gateway.send(block('graphql'));
    await gateway.close();
    expect(body).toEqual(JSON.parse(block('json')));
  });

  it('names the settings that --help names', () => {
    const rows = readme.match(/^\| `[A-Z_`, ]+`(?: or `[A-Z_]+`)? \|/gmu) ?? [];
    const inHelp = HELP.slice(HELP.indexOf('Settings')).match(/^ {2}[A-Z_, ]+(?= {2})/gmu) ?? [];
    const names = (lines: readonly string[]) => lines.flatMap((line) => line.match(/[A-Z_]+/gu) ?? []).sort();
    expect(names(rows)).toEqual(names(inHelp));
  });
});
