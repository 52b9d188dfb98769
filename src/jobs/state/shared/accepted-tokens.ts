import { sql } from 'kysely';
import type { AcceptedTokens } from '../../../core/shared-state.ts';
import { firstRow } from '../state-access.ts';
import type { StateLink } from './state-link.ts';

/** How long a token counts as accepted, in milliseconds. */
export const KNOWN_MS = sql.lit(24 * 60 * 60_000);

/** The tokens that the service has accepted within a day. */
export const createAcceptedTokens = (link: StateLink): AcceptedTokens => ({
  has: (tokenKey) =>
    link.read(async (state) => {
      const found = sql`
        select token_key from accepted_tokens where token_key = ${tokenKey} and accepted_at > ${state.clock} - ${KNOWN_MS}
      `;
      return (await firstRow(state, found)) !== null;
    }),
  add: (tokenKey) =>
    link.write(async ({ db, clock }) => {
      await sql`
        insert into accepted_tokens (token_key, accepted_at) values (${tokenKey}, ${clock})
        on conflict (token_key) do update set accepted_at = excluded.accepted_at
      `.execute(db);
    }),
});
