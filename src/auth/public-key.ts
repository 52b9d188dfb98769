import { createPublicKey, type KeyObject } from 'node:crypto';
import { readBoundedFile } from '../base/bounded-file.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { KeySource } from './key-set.ts';

const PEM_BEGIN = '-----BEGIN';

/** The largest keys take a few kilobytes. */
const MAX_PEM_BYTES = 65_536;

/** jose refuses smaller keys too, but only with the first JWT. */
const MIN_RSA_BITS = 2_048;

const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

const CURVE_ALGORITHMS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['prime256v1', ['ES256']],
  ['secp384r1', ['ES384']],
  ['secp521r1', ['ES512']],
]);

/**
 * Opens the key that signs every JWT, given as a file or as PEM, whose lines may also end with the characters `\n`.
 * `setting` names it in messages.
 */
export async function openPublicKey(
  pemOrPath: string,
  setting = 'CLIENT_PUBLIC_KEY',
): Promise<Result<KeySource, string>> {
  try {
    const read = pemOrPath.startsWith(PEM_BEGIN)
      ? ok(Buffer.from(pemOrPath.replaceAll('\\n', '\n')))
      : readBoundedFile(pemOrPath, { maxBytes: MAX_PEM_BYTES });
    if (!read.ok) return err(noKey(setting, `it ${read.error}`));
    const pem = read.value.toString();
    if (pem.includes('PRIVATE KEY')) return err(`${setting} is a private key: the gateway needs the public one`);
    const key = createPublicKey(pem);
    const algorithms = algorithmsOf(key);
    return algorithms ? ok({ getKey: async () => key, algorithms }) : err(`${setting} ${KEY_RULE}`);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unreadable';
    return err(noKey(setting, String(reason)));
  }
}

const noKey = (setting: string, reason: string): string =>
  `${setting} holds no public key in PEM, nor is it the path of such a file (${reason})`;

const KEY_RULE = `must be an RSA key of at least ${MIN_RSA_BITS} bits, or one on P-256, P-384, P-521 or Ed25519`;

/** The algorithms of this kind of key; null when the key is not acceptable. */
function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] | null {
  if (asymmetricKeyType === 'ed25519') return ['EdDSA', 'Ed25519'];
  if (asymmetricKeyType === 'ec') return CURVE_ALGORITHMS.get(asymmetricKeyDetails?.namedCurve) ?? null;
  const isLargeRsa = asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return isLargeRsa ? RSA_ALGORITHMS : null;
}
