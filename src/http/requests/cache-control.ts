import { ANY_FRESHNESS, type RequestFreshness } from '../../domain/callers/request-record.ts';

const DELTA_SECONDS = /^"?(?<seconds>\d+)"?$/u;

/**
 * Reads the directives of a request by RFC 9111, section 5.2.1. Those that only widen what a cache may do are ignored,
 * and an age that can't be read counts as 0.
 */
export function decodeCacheControl(header: string): RequestFreshness {
  let { maxAgeMs, mayBeKept } = ANY_FRESHNESS;
  for (const directive of header.toLowerCase().split(',')) {
    const [name = '', value = ''] = directive.split('=').map((part) => part.trim());
    if (name === 'no-store') mayBeKept = false;
    else if (name === 'no-cache') maxAgeMs = 0;
    else if (name === 'max-age') maxAgeMs = Math.min(maxAgeMs, millisecondsOf(value));
  }
  return { maxAgeMs, mayBeKept };
}

const millisecondsOf = (value: string): number => Number(DELTA_SECONDS.exec(value)?.groups?.['seconds'] ?? 0) * 1_000;
