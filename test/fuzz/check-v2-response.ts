import type { Verdict } from './check-response.ts';
import { BULK, type V2Position } from './v2.ts';

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

/** Checks a response against the promises that hold for every response of `/v2`. */
export function checkV2Response(position: V2Position, { status, text }: V2Answer): Verdict {
  if (status >= 500) return fault(`HTTP ${status}`);
  if (!text.startsWith('{')) return fault(`no envelope: ${text.slice(0, 100)}`);
  const { success, data, errors }: Envelope = JSON.parse(text);
  if (success === false || status >= 400) {
    const descriptions = (errors ?? []).map(({ description }) => description ?? '');
    return descriptions.some((description) => isNamed(position, description))
      ? { kind: 'refused' }
      : fault(`names no position: ${status} ${descriptions.join(' ').slice(0, 160)}`);
  }
  if (position.route !== BULK) return { kind: 'accepted' };
  const items: readonly { success: boolean; details: string | null }[] = Array.isArray(data) ? data : [];
  if (items.length === 0) return fault('a response without items');
  if (items.every((item) => item.success)) return { kind: 'accepted' };
  return items.every((item) => item.success || item.details) ? { kind: 'refused' } : fault('a failure without details');
}

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/gu, '');

/**
 * True when the description contains the name of the member or parameter in any notation, names the missing item, or is
 * about the body as a whole.
 */
function isNamed(position: V2Position, description: string): boolean {
  if (/^[A-Z].+ does not exist/su.test(description)) return true;
  if (description.startsWith('$:') || description.includes('request body')) return true;
  const names = position.kind === 'body' ? position.path.filter((key) => typeof key === 'string') : [position.name];
  if (names.length === 0) return description !== '';
  const text = squeezed(description);
  const isOfScope = names.includes('access_scope') && text.includes('accesslevel');
  return isOfScope || names.some((name) => text.includes(squeezed(name)));
}
