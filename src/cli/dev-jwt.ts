import { readBoundedFile } from '../core/base/bounded-file.ts';
import { toPrintable } from '../core/base/printable.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { CLIENT_SCOPES, type ClientScope, DEV_ISSUER } from '../core/callers/caller.ts';
import { DEV_AUDIENCE, generateSigningKey, publicKeyOf, signDevJwt } from '../server/auth/dev-jwt.ts';
import { openSecretFile, secretFileBesideStore } from '../server/process/access.ts';
import { print, printError } from '../server/process/terminal.ts';
import { commandLine } from './command-line.ts';
import type { Variables } from './command-options.ts';
import { loadConfig } from './load-config.ts';

const MAX_KEY_BYTES = 4_096;

const PRIVATE_KEY = /^-----BEGIN PRIVATE KEY-----\n[\w+/=\n]{1,1000}\n-----END PRIVATE KEY-----$/u;

/** Prints a JWT for trying on stdout, and on stderr the settings of a gateway that accepts it. */
export async function printDevJwt(scope: string, variables: Variables): Promise<Result<void, string>> {
  const scopes = scopesIn(scope);
  if (scopes === null) return err(`--scope takes one or more of ${CLIENT_SCOPES.join(', ')}, with blanks between them`);
  const config = loadConfig({});
  if (!config.ok) return config;
  const path = secretFileBesideStore(config.value.backend, 'dev-key.pem');
  const key = await openSecretFile(path, generateSigningKey, readKeyFile);
  if (!key.ok) return key;
  const publicKey = publicKeyOf(key.value).replaceAll('\n', String.raw`\n`);
  const settings = `CLIENT_JWT_ISSUER=${DEV_ISSUER} CLIENT_JWT_AUDIENCE=${DEV_AUDIENCE} CLIENT_PUBLIC_KEY='${publicKey}'`;
  printError(`A JWT for an hour, with ${scopes.join(' and ')}. A gateway on this machine accepts it with these settings:
${settings} ${commandLine('serve', variables)}
`);
  print(`${await signDevJwt(key.value, scopes)}\n`);
  return ok(undefined);
}

function readKeyFile(path: string): Result<string, string> {
  const read = readBoundedFile(path, { maxBytes: MAX_KEY_BYTES });
  if (!read.ok) return err(`${toPrintable(path)}, where the key of dev-jwt is kept, ${read.error}`);
  const key = PRIVATE_KEY.exec(read.value.toString().trim())?.[0];
  return key === undefined ? err(`${toPrintable(path)} holds no key of dev-jwt: delete it to get a new one`) : ok(key);
}

/** The scopes of a text; null where it has none, or one that no JWT can have. */
function scopesIn(text: string): readonly ClientScope[] | null {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''));
  const scopes = CLIENT_SCOPES.filter((scope) => words.has(scope));
  return scopes.length > 0 && scopes.length === words.size ? scopes : null;
}
