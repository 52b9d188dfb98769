import { existsSync } from 'node:fs';
import { createLogger } from '../../core/base/logger.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { misspeltMessage } from '../../server/config/misspelt-settings.ts';
import { DEMO_STORE, OWN_STORE } from '../../server/config/setting-types.ts';
import { type LocalConfig, misspeltSettings } from '../../server/config.ts';
import { complain, printError } from '../../server/process/terminal.ts';
import type { EntryCounts } from '../../store/import/add-knowledge-base.ts';
import { type LocalBackend, openLocalBackend } from '../../store/local-backend.ts';
import { loadLocalConfig } from '../load-config.ts';

/**
 * Reads the settings of a command that works on the store, and warns of variables that look like settings. Where the
 * store is not in use, the error ends with the hint.
 */
export function readStoreConfig({ hint = '', onlyReads = false } = {}): Result<LocalConfig, string> {
  const config = loadLocalConfig(onlyReads);
  if (!config.ok) return config;
  for (const setting of misspeltSettings()) complain(misspeltMessage(setting));
  if (config.value === null) return err(`${NO_STORE_IN_USE} ${hint}`.trim());
  return config.value.backend.databaseUrl === 'sqlite::memory:'
    ? err('DATABASE_URL=sqlite::memory: names a store that ends with this command. Name a file or PostgreSQL.')
    : ok(config.value);
}

const NO_STORE_IN_USE =
  'UPSTREAM_URL is set, so that serve forwards to a service. This command is for the embedded store, which is not in use then. To reach the store, run the command with UPSTREAM_URL= (set to nothing).';

/** What a gateway that serves the demo does not know of the own store that was made beside it; '' where there is none. */
export const demoLine = ({ backend }: LocalConfig): string =>
  !backend.isNamed && existsSync(DEMO_STORE)
    ? `It is in ${OWN_STORE}. A gateway that serves the demo serves this store when it is started again.\n`
    : '';

/** The reason why the store cannot be read; null when it can be opened. Opening a missing file would create it. */
export function findMissingStore({ backend }: LocalConfig): string | null {
  const path = /^sqlite:(.+)$/su.exec(backend.databaseUrl)?.[1];
  return path === undefined || existsSync(path) ? null : `there is no store at ${toPrintable(path)} (DATABASE_URL).`;
}

export function openStoreOf({ backend, log: { level } }: LocalConfig): Promise<LocalBackend> {
  const log = createLogger({ level, write: printError });
  return openLocalBackend({ databaseUrl: backend.databaseUrl, apiTokens: [], log });
}

export function entryTable(columns: Readonly<Record<string, EntryCounts>>): string {
  const row = (name: string, cells: readonly unknown[]) =>
    `${name.padEnd(20)}${cells.map((cell) => `${cell}`.padStart(15)).join('')}\n`;
  const counts = Object.values(columns).map((column) => Object.entries(column));
  const rows = (counts[0] ?? []).map(([list], index) =>
    row(
      list.replaceAll('_', ' '),
      counts.map((column) => column[index]?.[1]),
    ),
  );
  return [row('', Object.keys(columns)), ...rows].join('');
}
