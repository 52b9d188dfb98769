import { sql } from 'kysely';
import type { BudgetChange, SharedBudgets } from '../../../core/shared-state.ts';
import { firstRow } from '../state-access.ts';
import { type LinkedState, readClock, type StateLink } from './state-link.ts';

type Change<R> = (budget: string | null, now: number) => BudgetChange<R>;

export const createSharedBudgets = (link: StateLink): SharedBudgets => ({
  update: (tokenKey, change) => link.write((state) => updateBudget(state, tokenKey, change)),
});

async function updateBudget<R>(state: LinkedState, tokenKey: string, change: Change<R>): Promise<R> {
  for (;;) {
    const found = await lockBudget(state, tokenKey);
    const { budget, result } = change(found?.budget ?? null, found?.now ?? (await readClock(state)));
    if (budget === null) return result;
    if (found !== null) {
      await sql`
        update token_budgets set budget = ${budget}, changed_at = ${state.clock} where token_key = ${tokenKey}
      `.execute(state.db);
      return result;
    }
    const inserted = sql`
      insert into token_budgets (token_key, budget, changed_at) values (${tokenKey}, ${budget}, ${state.clock})
      on conflict (token_key) do nothing returning token_key
    `;
    if ((await firstRow(state, inserted)) !== null) return result;
  }
}

const lockBudget = (state: LinkedState, tokenKey: string) =>
  firstRow(
    state,
    sql<{ budget: string; now: number }>`
      select budget, ${state.clock} as now from token_budgets where token_key = ${tokenKey} ${state.dialect.rowLock ?? sql``}
    `,
  );
