export interface Grant {
  readonly jwt: string;
  readonly expiresInSeconds: number;
}

const RENEW_BEFORE_MS = 30_000;

/** Gives the JWT of the person, which is renewed half a minute before it ends. Requests of the same moment share one renewal. */
export function createJwtSource(askForGrant: () => Promise<Grant>): () => Promise<string> {
  let current = { jwt: '', renewAt: Number.NEGATIVE_INFINITY };
  let renewal: Promise<string> | null = null;
  const renew = async (): Promise<string> => {
    const asked = performance.now();
    const { jwt, expiresInSeconds } = await askForGrant();
    current = { jwt, renewAt: asked + expiresInSeconds * 1_000 - RENEW_BEFORE_MS };
    return jwt;
  };
  return async () => {
    if (performance.now() < current.renewAt) return current.jwt;
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    return renewal;
  };
}
