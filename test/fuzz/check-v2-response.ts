import type { Verdict } from './check-response.ts';
import { BULK, type V2Place } from './v2.ts';

export interface V2Answer {
  readonly status: number;
  readonly text: string;
}

interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly errors?: readonly { readonly description: string | null }[] | null;
}

const fault = (why: string): Verdict => ({ kind: 'fault', why });

/** Holds an answer against what every answer of `/v2` promises, whatever was sent. */
export function judgeV2(place: V2Place, { status, text }: V2Answer): Verdict {
  if (status >= 500) return fault(`HTTP ${status}`);
  if (!text.startsWith('{')) return fault(`no envelope: ${text.slice(0, 100)}`);
  const { success, data, errors }: Envelope = JSON.parse(text);
  if (success === false || status >= 400) {
    const descriptions = (errors ?? []).map(({ description }) => description ?? '');
    return descriptions.some((description) => isNamed(place, description))
      ? { kind: 'refused' }
      : fault(`names no place: ${status} ${descriptions.join(' ').slice(0, 160)}`);
  }
  if (place.route !== BULK) return { kind: 'accepted' };
  const items: readonly { success: boolean; details: string | null }[] = Array.isArray(data) ? data : [];
  if (items.length === 0) return fault('an answer without items');
  if (items.every((item) => item.success)) return { kind: 'accepted' };
  return items.every((item) => item.success || item.details) ? { kind: 'refused' } : fault('a failure without details');
}

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/gu, '');

/**
 * Whether a description has the name of the member or of the parameter, however it is written, says which thing is not
 * there, or speaks of the body as a whole.
 */
function isNamed(place: V2Place, description: string): boolean {
  if (/^[A-Z].+ does not exist/su.test(description)) return true;
  if (description.startsWith('$:') || description.includes('request body')) return true;
  const names = place.kind === 'body' ? place.path.filter((key) => typeof key === 'string') : [place.name];
  if (names.length === 0) return description !== '';
  const said = squeezed(description);
  const isOfScope = names.includes('access_scope') && said.includes('accesslevel');
  return isOfScope || names.some((name) => said.includes(squeezed(name)));
}
