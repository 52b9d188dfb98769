import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { describeLedger } from './contract.ts';

describeLedger('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kb-state-'));
  const url = `sqlite:${join(folder, 'state.db')}`;
  return {
    open: (serviceUrl: string | null = null) => openLedger({ url, setting: 'STATE_URL', serviceUrl }),
    close: async () => rmSync(folder, { recursive: true }),
  };
});
