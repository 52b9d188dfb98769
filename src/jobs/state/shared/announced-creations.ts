import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { SharedCreations } from '../../../core/shared-state.ts';
import type { LinkedState, StateLink } from './state-link.ts';

/** How long an announcement can show that a create was the only one, in milliseconds. */
const SHOWN_MS = sql.lit(60 * 60_000);

/**
 * How long an announcement is kept, in milliseconds: as long as the announcement of another gateway can show something,
 * and as long before it as a request and its last call may take, which is two hours by their settings.
 */
const KEPT_MS = sql.lit(4 * 60 * 60_000);

/** A gateway whose process has ended is another one to its successor. */
export function createSharedCreations(link: StateLink): SharedCreations {
  const gateway = randomUUID();
  const isOnlyOne = link.batchReads((state, questions: readonly Question[]) => findOnlyOnes(state, gateway, questions));
  return {
    announce: async (places) => {
      const announcementId = randomUUID();
      const rows = [...new Set(places)].map((place) => ({ place }));
      await link.write(async ({ db, dialect, clock }) => {
        const announced = dialect.jsonTable({ alias: 'announced', rows, columns: { place: 'text' } });
        await sql`
          insert into announced_creations (announcement_id, place, gateway, announced_at)
          select cast(${announcementId} as text), place, cast(${gateway} as text), ${clock} from ${announced}
        `.execute(db);
      });
      return announcementId;
    },
    isOnlyOne: (announcementId, place) => isOnlyOne({ announcementId, place }),
    withdraw: (announcementId) =>
      link.write(async ({ db }) => {
        await sql`delete from announced_creations where announcement_id = ${announcementId}`.execute(db);
      }),
  };
}

interface Question {
  readonly announcementId: string;
  readonly place: string;
}

async function findOnlyOnes({ db, dialect, clock }: LinkedState, gateway: string, questions: readonly Question[]) {
  const rows = questions.map(({ announcementId, place }, index) => ({ index, announcementId, place }));
  const columns = { index: 'integer', announcementId: 'text', place: 'text' } as const;
  const asked = dialect.jsonTable({ alias: 'asked', rows, columns });
  const found = await sql<{ index: number }>`
    select asked.index from ${asked} join announced_creations as own
      on own.announcement_id = asked."announcementId" and own.place = asked.place
    where own.announced_at > ${clock} - ${SHOWN_MS} and not exists (
      select 1 from announced_creations as other where other.place = asked.place and other.gateway <> ${gateway}
    )
  `.execute(db);
  const onlyOnes = new Set(found.rows.map(({ index }) => index));
  return questions.map((_, index) => onlyOnes.has(index));
}

/** Deletes at most `maxRows` that nobody needs any more. Where the clock of the state was set back, rows get its time. */
export async function sweepAnnouncements({ db, clock }: LinkedState, maxRows: number): Promise<void> {
  const rowsWhere = (condition: RawBuilder<unknown>) =>
    sql`(announcement_id, place) in (
      select announcement_id, place from announced_creations where ${condition} limit ${maxRows}
    )`;
  const isAhead = rowsWhere(sql`announced_at > ${clock}`);
  await sql`update announced_creations set announced_at = ${clock} where ${isAhead}`.execute(db);
  const isOver = rowsWhere(sql`announced_at <= ${clock} - ${KEPT_MS}`);
  await sql`delete from announced_creations where ${isOver}`.execute(db);
}
