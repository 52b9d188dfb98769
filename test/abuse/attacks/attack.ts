import type { AbuseRequest, Answer } from '../measure/request.ts';
import { TOKEN } from '../target.ts';
import type { TargetName } from '../targets/targets.ts';

/** Something that somebody has done to the gateway, or may do. */
export interface Attack {
  readonly name: string;
  readonly target: TargetName;
  readonly token: TokenKind;
  /** Many at once: what one iteration of the event loop does for all of them is no single request's doing. */
  readonly isCrowd?: boolean;
  /** The longest that another client, whose token is known, may wait meanwhile; where nothing is said, so long as it takes. */
  readonly mostWaitMs?: number;
  /** All that is sent, and what came back. */
  run(ground: AttackGround): Promise<readonly Answer[]>;
  /** Says what is wrong with the answers, besides what is wrong for every attack. */
  complaint?(answers: readonly Answer[]): string | null;
}

export type TokenKind = 'known' | 'made up' | 'none';

export interface AttackGround {
  readonly origin: string;
  /** Sends on the one connection of the attacker. */
  send(request: AbuseRequest): Promise<Answer>;
  /** Aborted where the gateway is not waited for any longer. */
  readonly signal: AbortSignal;
}

const TOKENS = { known: { api_token: TOKEN }, 'made up': { api_token: 'made-up' }, none: {} } as const satisfies Record<
  TokenKind,
  object
>;

export const graphql = (token: TokenKind, query: string, variables: object = {}): AbuseRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...TOKENS[token] },
  body: JSON.stringify({ query, variables }),
});

/** What is attacked with one request. */
export interface OneRequest {
  readonly name: string;
  readonly target: TargetName;
  readonly token: TokenKind;
  readonly query: string;
  readonly variables?: () => object;
}

/** One request, made only when it is sent: some have 10 MB. */
export const byRequest = ({ name, target, token, query, variables }: OneRequest): Attack => ({
  name,
  target,
  token,
  run: async ({ send }) => [await send(graphql(token, query, variables?.()))],
});

export const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

export const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

export const MB = 1_000_000;
