import type { SettingReader } from './setting-reader.ts';
import { isLoopbackUrl } from './setting-types.ts';

interface Checked {
  readonly backend:
    | { readonly kind: 'local' }
    | { readonly kind: 'rest'; readonly baseUrl: string; readonly timeoutMs: number };
  readonly requestTimeoutMs: number;
}

/**
 * Checks combinations of settings. What can't work is rejected. What works but is rarely meant causes a warning, since
 * only the operator knows: a network may be trusted, and settings of the other backend are ignored.
 */
export function checkSettings(settings: SettingReader, { backend, requestTimeoutMs }: Checked): void {
  if (backend.kind === 'local') {
    if (settings.isSet('UPSTREAM_API_TOKEN'))
      settings.warn('UPSTREAM_API_TOKEN', 'has no effect without UPSTREAM_URL: the embedded store answers');
    return;
  }
  if (/\/v2$/iu.test(backend.baseUrl))
    settings.reject('UPSTREAM_URL', 'the URL without its /v2 at the end, which the gateway adds');
  if (/^http:/iu.test(backend.baseUrl) && !isLoopbackUrl(backend.baseUrl))
    settings.warn('UPSTREAM_URL', 'is http to another machine: tokens and texts go there unencrypted');
  if (backend.timeoutMs > requestTimeoutMs)
    settings.warn(
      'UPSTREAM_TIMEOUT_MS',
      `is longer than ${settings.nameOf('REQUEST_TIMEOUT_MS')}, ${requestTimeoutMs}, at which reads end: only a write that has begun may take it whole`,
    );
}
