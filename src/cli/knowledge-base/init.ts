import { randomUUID } from 'node:crypto';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import type { CommandOptions } from '../command-options.ts';
import { demoLine, openStoreOf, readStoreConfig } from './open-store.ts';

/** Begins an own knowledge base in the embedded store: a project version with its languages, and nothing else. */
export async function initStore({
  languages = 'en',
  'project-version': name,
}: CommandOptions): Promise<Result<void, string>> {
  const codes = [...new Set(languages.split(',').map((code) => code.trim().toLowerCase()))];
  if (name === undefined || name.trim() === '' || name.length > MAX_NAME)
    return err('name it by --project-version NAME.');
  if (!codes.every((code) => /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/u.test(code)))
    return err('--languages takes codes such as en,fr.');
  const config = readStoreConfig();
  if (!config.ok) return config;
  const store = await openStoreOf(config.value);
  const id = randomUUID();
  try {
    const known = await store.exportKnowledgeBase(async ({ project_versions }) => Array.fromAsync(project_versions));
    if (known.some((version) => version.name === name))
      return err(`there is a project version ${toPrintable(name)} already.`);
    await store.importKnowledgeBase(
      {
        source: null,
        project_versions: [{ id, name, is_default: true }],
        languages: codes.map((code, index) => ({
          project_version_id: id,
          code,
          name: new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code,
          is_default: index === 0,
        })),
        categories: [],
        team_accounts: [],
        articles: [],
        readers: [],
        invited_sso_users: [],
        reader_groups: [],
      },
      () => {},
    );
    print(`The store has the project version ${toPrintable(name)} (${id}) in ${codes.join(', ')}.\n`);
    print(demoLine(config.value));
    return ok(undefined);
  } finally {
    await store.close();
  }
}

const MAX_NAME = 300;
