import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import type { SharedScene } from './contract.ts';

export async function openSqliteScene(): Promise<SharedScene> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-shared-'));
  const url = `sqlite:${join(folder, 'state.db')}`;
  return {
    open: (name = crypto.randomUUID()) => openSharedState({ url, setting: 'STATE_URL', name, writeMs: 0 }),
    close: async () => rmSync(folder, { recursive: true }),
  };
}
