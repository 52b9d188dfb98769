import { type Edit, isMember, MEMBER_NAMES } from '../articles/edits.ts';
import { counted } from '../counted.ts';
import type { JobFieldsFragment } from '../generated/graphql.ts';
import { keep, readKept } from '../kept.ts';

const NAMES = 'kb-gateway job names';
const MOST_NAMES = 100;

export const keepJobName = (jobId: string, name: string): void =>
  keep(NAMES, { ...readKept(NAMES), [jobId]: name }, MOST_NAMES);

/** The name of a job: the one that this browser keeps, or else what it does, and to how many articles. */
export function jobNameOf({ id, revertOf, summary: { total } }: JobFieldsFragment): string {
  const names = readKept(NAMES);
  if (revertOf === null) return names[id] ?? `Update ${counted(total, 'article')}`;
  return [`Put back ${counted(total, 'article')}`, names[revertOf.id] ?? []].flat().join(': ');
}

/** The name of a job that sends these edits: what made them, or else what they change. */
export function nameOfEdits(edits: readonly Edit[]): string {
  const [{ article, reason } = { article: null, reason: undefined }] = edits;
  const what = edits.length === 1 ? `“${article?.title || article?.articleId}”` : counted(edits.length, 'article');
  if (reason !== undefined && edits.every((edit) => edit.reason === reason)) return `${reason} in ${what}`;
  const members = new Set(edits.flatMap(({ change }) => Object.keys(change)).filter((name) => name !== 'ifRevision'));
  const names = [...members].map((name) => (isMember(name) ? MEMBER_NAMES[name] : 'Text').toLowerCase());
  return `Change ${names.join(', ')} of ${what}`;
}
