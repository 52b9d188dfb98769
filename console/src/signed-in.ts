import { UserManager } from 'oidc-client-ts';
import { isRedirect, linkToConsole } from './issuer.ts';

// The issuer sends people back here. The answer goes to the console: to the one around this frame, to the one that opened
// this window, or, where the console itself has gone to the issuer, to a new one in this window.
const manager = new UserManager({ authority: location.origin, client_id: '', redirect_uri: location.href });
if (window.parent !== window) void manager.signinSilentCallback();
else if (isRedirect(location.search)) location.replace(linkToConsole(location.search));
else {
  document.body.textContent = 'You can close this window.';
  void manager.signinPopupCallback();
}
