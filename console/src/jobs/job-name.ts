import { type Edit, isMember, MEMBER_NAMES } from '../articles/edits.ts';
import { counted } from '../counted.ts';
import type { JobFieldsFragment } from '../generated/graphql.ts';

/** What a job is called: by its name, or else by what it does, and to how many articles. */
export function jobNameOf({ name, revertOf, summary: { total } }: JobFieldsFragment): string {
  if (revertOf === null) return name ?? `Update ${counted(total, 'article')}`;
  return [`Put back ${counted(total, 'article')}`, revertOf.name ?? []].flat().join(': ');
}

const MOST_CHARACTERS = 200;

/** The name of a job that sends these edits, in the characters that a name may have. */
export function nameOfEdits(edits: readonly Edit[]): string {
  const name = whatIsDone(edits).replaceAll(/\p{Cc}/gu, ' ');
  return (name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS - 1)}…` : name).toWellFormed();
}

/** What made the edits, or else what they change. */
function whatIsDone(edits: readonly Edit[]): string {
  const [{ article, reason } = { article: null, reason: undefined }] = edits;
  const what = edits.length === 1 ? `“${article?.title || article?.articleId}”` : counted(edits.length, 'article');
  if (reason !== undefined && edits.every((edit) => edit.reason === reason)) return `${reason} in ${what}`;
  const members = new Set(edits.flatMap(({ change }) => Object.keys(change)).filter((name) => name !== 'ifRevision'));
  const names = [...members].map((name) => (isMember(name) ? MEMBER_NAMES[name] : 'Text').toLowerCase());
  return `Change ${names.join(', ')} of ${what}`;
}
