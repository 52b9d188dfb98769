import type { AbuseRequest, Answer } from '../measure/request.ts';
import { TOKEN } from '../target.ts';
import type { TargetName } from '../targets/targets.ts';

/** A kind of abuse of the gateway. */
export interface Attack {
  readonly name: string;
  readonly target: TargetName;
  readonly token: TokenKind;
  /** True for many concurrent requests: the time of one loop iteration is then not due to a single request. */
  readonly isCrowd?: boolean;
  /** The longest that another client with an accepted token may wait meanwhile; unbounded when absent. */
  readonly maxWaitMs?: number;
  /** The most memory that the attack may take beside what the process has; bounded as for every attack when absent. */
  readonly maxGrowthMb?: number;
  /** Sends all requests, and returns their responses. */
  run(context: AttackContext): Promise<readonly Answer[]>;
  /** Describes what is wrong with the responses, in addition to the checks of every attack. */
  complaint?(answers: readonly Answer[]): string | null;
}

export type TokenKind = 'known' | 'made up' | 'none';

export interface AttackContext {
  readonly origin: string;
  /** Sends a request on the only connection of the attacker. */
  send(request: AbuseRequest): Promise<Answer>;
  /** Aborted when nobody waits for the gateway any longer. */
  readonly signal: AbortSignal;
}

export const TOKENS = {
  known: { api_token: TOKEN },
  'made up': { api_token: 'made-up' },
  none: {},
} as const satisfies Record<TokenKind, object>;

export const graphql = (token: TokenKind, query: string, variables: object = {}): AbuseRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...TOKENS[token] },
  body: JSON.stringify({ query, variables }),
});

/** An attack by a single request. */
export interface OneRequest {
  readonly name: string;
  readonly target: TargetName;
  readonly token: TokenKind;
  readonly query: string;
  readonly variables?: () => object;
}

/** The request is built only when it is sent: some have 10 MB. */
export const byRequest = ({ name, target, token, query, variables }: OneRequest): Attack => ({
  name,
  target,
  token,
  run: async ({ send }) => [await send(graphql(token, query, variables?.()))],
});

export const MB = 1_000_000;
