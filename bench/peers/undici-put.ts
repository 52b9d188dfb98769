import { Pool } from 'undici';
import type { Envelope, Put } from './service.ts';

/** Sends PUTs over a pool of keep-alive connections, one per concurrent call. */
export function createUndiciPut(origin: string): (token: string) => Put {
  const pool = new Pool(origin);
  return (token) => async (path, body) => {
    const { statusCode, body: answer } = await pool.request({
      method: 'PUT',
      path,
      headers: { 'content-type': 'application/json', api_token: token },
      body: JSON.stringify(body),
    });
    return { status: statusCode, envelope: parseEnvelope(await answer.text()) };
  };
}

export function parseEnvelope(text: string): Envelope {
  return text.startsWith('{') ? JSON.parse(text) : {};
}
