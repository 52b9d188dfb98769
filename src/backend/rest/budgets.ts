import { hash, randomBytes } from 'node:crypto';
import { TokenState } from './tokens/token-states.ts';

/** What is known of each API token, learned from the service's answers. A token is remembered by its hash alone. */
export interface Budgets {
  /** The token's state, for one call that is to be made: as long as it is held, everybody gets the same. */
  hold(apiToken: string): TokenState;
  /** To be called once for each `hold`, after what came of the call is noted. */
  letGo(state: TokenState): void;
  /** Undefined where nothing is known of the token. */
  find(apiToken: string): TokenState | undefined;
}

export interface BudgetsOptions {
  /** The most accepted tokens that are remembered: those that were accepted last. */
  readonly maxTokens?: number;
  /** The most calls of all tokens that wait for their rate limits; one more is refused at once. */
  readonly maxWaiting?: number;
}

/** Tokens that are remembered for their rate limit although they are not accepted and none of their calls is in flight. */
const MAX_IDLE_STRANGERS = 250;

export function createBudgets({ maxTokens = 10_000, maxWaiting = 1_000 }: BudgetsOptions = {}): Budgets {
  const secret = randomBytes(32).toString('base64');
  /** Those that the service has accepted. No stranger is in it, so that strangers push out nobody. */
  const accepted = new Map<string, TokenState>();
  /** All others that are held, or limited. Of those that are held, the newcomers bound the number. */
  const strangers = new Map<string, TokenState>();
  const room = { waiting: 0, most: maxWaiting, mostOfOne: Math.ceil(maxWaiting * (15 / 16)) };

  const find = (key: string) => accepted.get(key) ?? strangers.get(key);
  const keyOf = (apiToken: string): string => hash('sha256', secret + apiToken, 'base64');

  const open = (key: string) => {
    const state = new TokenState(key, room);
    strangers.set(key, state);
    return state;
  };
  const remember = (state: TokenState) => {
    if (accepted.has(state.key)) return;
    strangers.delete(state.key);
    accepted.set(state.key, state);
    if (accepted.size > maxTokens) drop(accepted, leastRecent(accepted));
  };
  const forget = (state: TokenState) => {
    accepted.delete(state.key);
    strangers.delete(state.key);
    if (state.queue.budget.known() === null) return;
    strangers.set(state.key, state);
    if (strangers.size > MAX_IDLE_STRANGERS) drop(strangers, firstIdle(strangers));
  };

  return {
    hold(apiToken) {
      const key = keyOf(apiToken);
      const state = find(key) ?? open(key);
      state.users += 1;
      return state;
    },
    letGo(state) {
      state.users -= 1;
      if (state.isAccepted) remember(state);
      else if (state.users === 0) forget(state);
    },
    find: (apiToken) => find(keyOf(apiToken)),
  };
}

const drop = (states: Map<string, TokenState>, state: TokenState | undefined) => state && states.delete(state.key);

const firstIdle = (states: ReadonlyMap<string, TokenState>): TokenState | undefined =>
  states.values().find(({ users }) => users === 0);

/** The one of which it is longest ago that the service accepted it. Only a token that it accepts has this looked for. */
function leastRecent(states: ReadonlyMap<string, TokenState>): TokenState | undefined {
  let found: TokenState | undefined;
  for (const state of states.values())
    if (state.users === 0 && (found === undefined || state.acceptedUntil < found.acceptedUntil)) found = state;
  return found;
}
