/** A token of this length or more remains secret when four of its characters are shown. */
const LONG_TOKEN = 20;

const MAX_CLAIM = 100;

/** The name of the signed-in caller, for people: the subject and the issuer of a JWT, or the end of a long API token. */
export function callerNameOf(token: string): string {
  const claims = claimsOf(token);
  const [sub, iss] = [claimIn(claims, 'sub'), claimIn(claims, 'iss')];
  if (sub !== '' || iss !== '') return `${sub || 'a JWT without a subject'}${iss && ` (${iss})`}`;
  return token.length < LONG_TOKEN ? 'an API token' : `the API token that ends with …${token.slice(-4)}`;
}

/** The claims of a JWT; empty where there are none. The gateway verifies them. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const [, payload = '', signature] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return Object(signature === undefined ? null : JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}

/** A claim without invisible characters, which could change how the rest is read. */
function claimIn(claims: Readonly<Record<string, unknown>>, name: string): string {
  const claim = claims[name];
  return typeof claim === 'string' ? claim.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, MAX_CLAIM) : '';
}
