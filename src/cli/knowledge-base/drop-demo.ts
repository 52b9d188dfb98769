import { err, ok, type Result } from '../../core/base/result.ts';
import { print } from '../../server/process/terminal.ts';
import { demoKnowledgeBase } from '../../store/import/demo-knowledge-base.ts';
import { findMissingStore, openStoreOf, readStoreConfig } from './open-store.ts';

const LINES = {
  removed: 'The demo was removed, and does not come back.\n',
  changed: 'The demo was removed, with all changes to it, and does not come back.\n',
  absent: 'The store has no demo, and gets none.\n',
} as const;

/** Removes the demo from the embedded store for good. */
export async function dropDemoOfStore(): Promise<Result<void, string>> {
  const config = readStoreConfig();
  if (!config.ok) return config;
  const missing = findMissingStore(config.value);
  if (missing !== null) return err(`${missing} With DEMO_DATA=false, serve begins one without the demo.`);
  const store = await openStoreOf(config.value);
  try {
    print(LINES[await store.dropDemo(demoKnowledgeBase)]);
    return ok(undefined);
  } finally {
    await store.close();
  }
}
