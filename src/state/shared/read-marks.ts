import { sql } from 'kysely';
import { batchChecks } from './mark-checks.ts';
import { insertMarks, startGeneration } from './read-generations.ts';
import type { ReadMark, ReadMarks } from './shared-state.ts';
import type { StateLink } from './state-link.ts';
import type { UnmarkedScopes } from './unmarked-scopes.ts';

export const createReadMarks = (link: StateLink, unmarked: UnmarkedScopes): ReadMarks => ({
  check: batchChecks(link),
  begin: async (scope, ms) => {
    try {
      return await beginMark(link, scope, ms);
    } catch (error) {
      unmarked.add(scope, ms);
      throw error;
    }
  },
});

/** A mark belongs to one write and ends by its ID alone. One that is over by then still starts a generation. */
async function beginMark(link: StateLink, scope: string, ms: number): Promise<ReadMark> {
  const [markId] = await link.write((state) => insertMarks(state, [{ scope, ms }]));
  let isEnded = false;
  return {
    end: async () => {
      if (isEnded) return;
      await link.write(async (state) => {
        await sql`delete from read_marks where mark_id = ${markId}`.execute(state.db);
        await startGeneration(state, [scope]);
      });
      isEnded = true;
    },
  };
}
