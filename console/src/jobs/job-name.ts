import { type Edit, isMember, MEMBER_NAMES } from '../articles/edits.ts';
import { counted } from '../counted.ts';
import type { JobFieldsFragment } from '../generated/graphql.ts';

/** The names of the last jobs, which this browser keeps, since the gateway keeps none. */
const NAMES = 'kb-gateway job names';
const MOST_NAMES = 100;

function readNames(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(NAMES) ?? '{}');
  } catch {
    return {};
  }
}

export function keepJobName(jobId: string, name: string): void {
  const others = Object.entries(readNames()).filter(([id]) => id !== jobId);
  try {
    localStorage.setItem(NAMES, JSON.stringify(Object.fromEntries([...others.slice(1 - MOST_NAMES), [jobId, name]])));
  } catch {
    // A browser that keeps nothing has no names after a reload.
  }
}

/** The name of a job: the one that this browser keeps, or else what it does, and to how many articles. */
export function jobNameOf({ id, revertOf, summary: { total } }: JobFieldsFragment): string {
  const names = readNames();
  if (revertOf === null) return names[id] ?? `Update ${counted(total, 'article')}`;
  return [`Put back ${counted(total, 'article')}`, names[revertOf.id] ?? []].flat().join(': ');
}

/** The name of a job that sends these edits: what made them, or else what they change. */
export function nameOfEdits(edits: readonly Edit[]): string {
  const [{ article, reason } = { article: null, reason: undefined }] = edits;
  const what = edits.length === 1 ? `“${article?.title ?? article?.articleId}”` : counted(edits.length, 'article');
  if (reason !== undefined && edits.every((edit) => edit.reason === reason)) return `${reason} in ${what}`;
  const members = new Set(edits.flatMap(({ change }) => Object.keys(change)).filter((name) => name !== 'ifRevision'));
  const names = [...members].map((name) => (isMember(name) ? MEMBER_NAMES[name] : 'Text').toLowerCase());
  return `Change ${names.join(', ')} of ${what}`;
}
