import { databaseToDrop } from '../../backend/local/store.ts';
import { describeClockSteps } from './clock-steps.ts';
import { openStateAt } from './postgres-scene.ts';

/** The clock of the server is left alone: what was written before it was set back lies further ahead. */
const SET_BACK = `
  update gateways set started_at = started_at + 3600000, alive_until = alive_until + 3600000;
  update group_locks set write_ends_at = write_ends_at + 3600000;
  update read_marks set ends_at = ends_at + 3600000`;

describeClockSteps('PostgreSQL', async () => {
  const { url, run } = await databaseToDrop();
  return { open: (name) => openStateAt(url, name), run, setBack: () => run(SET_BACK) };
});
