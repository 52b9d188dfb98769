/** What the gateway says of the issuer at which people sign in. */
export interface Issuer {
  readonly issuer: string;
  readonly clientId: string;
  /** The `aud` of the JWTs that the gateway accepts. */
  readonly audience: string;
  /** Null while the gateway can't read what the issuer publishes. */
  readonly metadata: {
    readonly authorizationEndpoint: string;
    readonly tokenEndpoint: string;
    readonly scope: string;
  } | null;
}

/** The issuer in the page; null where people type a token. */
export function readIssuer(): Issuer | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="issuer"]')?.content;
  return content === undefined ? null : JSON.parse(content);
}

/** The member of the fragment with the query with which the issuer has sent the person back to the console. */
export const ISSUER_ANSWER = 'signed-in';

/** The link from the page below the console to the console, with the issuer's answer. */
export const linkToConsole = (answer: string): string =>
  `../console#${new URLSearchParams({ [ISSUER_ANSWER]: answer })}`;

/** The end of the `state` of an attempt for which the console itself has gone to the issuer. */
export const REDIRECT = 'page';

export const isRedirect = (answer: string): boolean =>
  new URLSearchParams(answer).get('state')?.endsWith(`;${REDIRECT}`) === true;
