import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSPKI, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPublicKey } from '../../../src/server/auth/client-auth.ts';

const PEM = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength, ...PEM });

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kb-gateway-key-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('openPublicKey', () => {
  it('reads the key from a file', async () => {
    const path = join(directory, 'key.pem');
    const pem = await exportSPKI((await generateKeyPair('ES256')).publicKey);
    for (const text of [pem, `\uFEFF${pem.replaceAll('\n', '\r\n')}`]) {
      await writeFile(path, text);
      expect(openPublicKey(path)).toMatchObject({ ok: true });
    }
  });

  it.each([
    ['a private key', () => rsa(2_048).privateKey, 'private key'],
    ['an RSA key that is too small', () => rsa(1_024).publicKey, 'at least 2048 bits'],
    [
      'a key on a curve without an algorithm',
      () =>
        generateKeyPairSync('ec', {
          namedCurve: 'secp256k1',
          ...PEM,
        }).publicKey,
      'P-256',
    ],
    [
      'a text that is no key',
      () => '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
      'no public key in PEM',
    ],
    ['the path of a missing file', () => 'no-such-key.pem', 'ENOENT'],
  ])('refuses %s and does not quote it', (_what, pem, reason) => {
    const refused = openPublicKey(pem());
    expect(refused).toEqual({ ok: false, error: expect.stringContaining(reason) });
    expect(refused.ok ? '' : refused.error).not.toContain('AAAA');
  });
});
