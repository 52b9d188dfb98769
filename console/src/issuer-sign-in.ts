import type { Issuer } from './issuer.ts';
import type { Attempt, Oidc } from './oidc.ts';

/** Signs in at an issuer. The library for that is loaded when it is first needed. */
export function createIssuerSignIn(issuer: Issuer) {
  let opened: Promise<Oidc> | null = null;
  return async (step: (oidc: Oidc) => Promise<Attempt>): Promise<Attempt> => {
    if (issuer.metadata === null)
      return { problem: `The gateway cannot read what ${issuer.issuer} publishes. Load this page again later.` };
    opened ??= import('./oidc.ts').then(({ createOidc }) => createOidc(issuer));
    return opened.then(step).catch((error: unknown) => ({ problem: `Signing in failed: ${error}` }));
  };
}
