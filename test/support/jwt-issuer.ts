import { createServer, type ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { portOf } from './ports.ts';

export const ISSUER = 'https://id.example/';
export const AUDIENCE = 'kb-gateway';

export interface Claims {
  readonly [claim: string]: unknown;
}

/** An issuer of client JWTs, with real keys and a real server for the public ones. */
export interface JwtIssuer {
  readonly jwksUrl: string;
  /** The number of fetches of the keys. */
  readonly fetches: () => number;
  /**
   * A JWT that is valid for five minutes with the subject alice. `claims` override its claims; undefined removes one.
   */
  sign(claims?: Claims): Promise<string>;
  /** Replaces the key by a new one, which is then the only published key, with an ID of its own or with the same. */
  rotate(id?: 'same ID'): Promise<void>;
  /** Replaces the response to the next fetches; null restores the keys. */
  misbehave(answer: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

const inFiveMinutes = (): number => Math.floor(Date.now() / 1000) + 300;

export async function openJwtIssuer(algorithm = 'ES256'): Promise<JwtIssuer> {
  let key = await createKey(algorithm);
  let fetches = 0;
  let misbehaviour: ((response: ServerResponse) => void) | null = null;
  const server = createServer((_request, response) => {
    fetches += 1;
    if (misbehaviour) return misbehaviour(response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key.publicJwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    jwksUrl: `http://127.0.0.1:${portOf(server.address())}/jwks`,
    fetches: () => fetches,
    sign: (claims = {}) => {
      const all = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', exp: inFiveMinutes(), ...claims };
      return new SignJWT(all).setProtectedHeader({ alg: algorithm, kid: key.kid }).sign(key.privateKey);
    },
    rotate: async (id) => {
      key = await createKey(algorithm, id && key.kid);
    },
    misbehave: (answer) => {
      misbehaviour = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function createKey(algorithm: string, kid: string = crypto.randomUUID()): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' } };
}

export const bearer = (jwt: string) => ({ authorization: `Bearer ${jwt}` });

/** A request with the header, as client authentication sees it. */
export const requestWith = (authorization: string) => ({
  headers: { get: (name: string) => (name === 'authorization' ? authorization : null) },
  request: createRequestFacts(),
  requestTimeoutMs: 1_000,
  address: '',
});
