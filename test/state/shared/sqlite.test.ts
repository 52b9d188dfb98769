import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSharedState } from '../../../src/state/shared/open-shared-state.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { describeSharedState } from './contract.ts';

describeSharedState('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kb-shared-'));
  const url = `sqlite:${join(folder, 'state.db')}`;
  return {
    open: (name = crypto.randomUUID()) => openSharedState({ url, setting: 'STATE_URL', name, writeMs: 0 }),
    close: async () => rmSync(folder, { recursive: true }),
  };
});

describeSharedState('the model', async () => {
  const world = createSharedWorld();
  return { open: async (name) => world.gateway(name), close: async () => {} };
});
