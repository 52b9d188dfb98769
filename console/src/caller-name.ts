/** A token of this length or more remains secret when four of its characters are shown. */
const LONG_TOKEN = 20;

const MAX_CLAIM = 100;

/** The name of the signed-in caller, for people: the subject and the issuer of a JWT, or the end of a long API token. */
export function callerNameOf(token: string): string {
  const { sub, iss } = claimsOf(token);
  if (sub !== '' || iss !== '') return `${sub || 'a JWT without a subject'}${iss && ` (${iss})`}`;
  return token.length < LONG_TOKEN ? 'an API token' : `the API token that ends with …${token.slice(-4)}`;
}

/** The claims of a JWT; empty where there are none. The gateway has verified them. */
function claimsOf(token: string): { readonly sub: string; readonly iss: string } {
  try {
    const [, payload = '', signature] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const claims: unknown = signature === undefined ? null : JSON.parse(new TextDecoder().decode(bytes));
    return { sub: claimIn(claims, 'sub'), iss: claimIn(claims, 'iss') };
  } catch {
    return { sub: '', iss: '' };
  }
}

/** A claim without invisible characters, which could change how the rest is read. */
function claimIn(claims: unknown, name: string): string {
  const claim: unknown = Object(claims)[name];
  return typeof claim === 'string' ? claim.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, MAX_CLAIM) : '';
}
