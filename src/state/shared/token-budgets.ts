import { sql } from 'kysely';
import type { BudgetChange, SharedBudgets } from './shared-state.ts';
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
    const inserted = await sql`
      insert into token_budgets (token_key, budget, changed_at) values (${tokenKey}, ${budget}, ${state.clock})
      on conflict (token_key) do nothing returning token_key
    `.execute(state.db);
    if (inserted.rows.length > 0) return result;
  }
}

async function lockBudget({ db, dialect, clock }: LinkedState, tokenKey: string) {
  const { rows } = await sql<{ budget: string; now: number }>`
    select budget, ${clock} as now from token_budgets where token_key = ${tokenKey} ${dialect.rowLock ?? sql``}
  `.execute(db);
  return rows[0] ?? null;
}
