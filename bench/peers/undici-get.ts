import { Pool } from 'undici';
import type { Get } from './reads/service-reads.ts';
import { payloadOf } from './service.ts';

/** Sends GETs over a pool of keep-alive connections, one per concurrent call. */
export function createUndiciGet(origin: string): (token: string) => Get {
  const pool = new Pool(origin);
  return (token) => async (path) => {
    const { body } = await pool.request({ method: 'GET', path, headers: { api_token: token } });
    return payloadOf(JSON.parse(await body.text()));
  };
}
