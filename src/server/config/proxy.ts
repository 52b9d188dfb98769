import { parseProxyException } from '../../core/base/no-proxy.ts';
import { isDecodable } from '../../core/base/text.ts';
import type { SettingReader } from './setting-reader.ts';
import { wrongEntry } from './setting-types.ts';

/** The proxies on the way to other hosts, and the hosts that are called without one. */
export interface Proxies {
  readonly HTTPS_PROXY: string | undefined;
  readonly HTTP_PROXY: string | undefined;
  readonly except: readonly string[];
}

type ProxySetting = 'HTTPS_PROXY' | 'HTTP_PROXY';

export const readProxies = (settings: SettingReader): Proxies => ({
  HTTPS_PROXY: settings.get('HTTPS_PROXY'),
  HTTP_PROXY: settings.get('HTTP_PROXY'),
  except: settings.get('NO_PROXY'),
});

/** The proxy for requests to a URL; null when they are sent directly. */
export function proxyUrlFor(target: string, proxies: Proxies): string | null {
  const setting = proxySettingFor(target, proxies);
  return setting === null ? null : (parseProxyUrl(proxies[setting])?.href ?? null);
}

function proxySettingFor(target: string, proxies: Proxies): ProxySetting | null {
  const url = URL.parse(target);
  const setting = url?.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  if (url === null || proxies[setting] === undefined) return null;
  return proxies.except.some((entry) => parseProxyException(entry)?.(url)) ? null : setting;
}

const EXCEPTIONS =
  'hosts that are called without a proxy, separated by commas or spaces: names, IP addresses, ranges such as 10.0.0.0/8, 10.* or fd00::/8, or * for all';

/** Checks that the proxies in use and all exceptions are valid, and that no proxy could change the keys of clients. */
export function checkProxies(settings: SettingReader, proxies: Proxies, targets: readonly string[]): void {
  const hasProxy = (target: string) => proxySettingFor(target, { ...proxies, except: [] }) !== null;
  const isUnderstood = (entry: string) => parseProxyException(entry) !== null;
  if (targets.some(hasProxy) && !proxies.except.every(isUnderstood))
    settings.reject('NO_PROXY', `${EXCEPTIONS}${wrongEntry(proxies.except, isUnderstood)}`);
  for (const target of targets) {
    const setting = proxySettingFor(target, proxies);
    if (setting === null || parseProxyUrl(proxies[setting]) !== null) continue;
    const form = 'the http or https URL of a proxy, such as http://proxy.example:3128';
    settings.reject(setting, `${form}; ${settings.nameOf('NO_PROXY')} excepts hosts`);
  }
  const keys = settings.get('CLIENT_JWKS_URL') ?? '';
  if (!/^http:/iu.test(keys) || proxySettingFor(keys, proxies) === null) return;
  settings.reject(
    'CLIENT_JWKS_URL',
    `with a proxy for http, an https URL or a host that ${settings.nameOf('NO_PROXY')} lists: the proxy could send keys of its own`,
  );
}

/** Parses the URL of a proxy. The scheme may be left out, as for curl. */
function parseProxyUrl(text = ''): URL | null {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//iu.test(text) ? text : `http://${text}`);
  const isProxy = url !== null && /^https?:$/u.test(url.protocol) && url.pathname === '/' && !/[?#]/u.test(text);
  return isProxy && isDecodable(url.username + url.password) ? url : null;
}
