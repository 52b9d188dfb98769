import type { Notice, ServiceError } from '../../domain/notices.ts';
import type { Submission } from './batch.ts';

/** Given what was said to a merged call, tells what of it is for whom. */
export type Routing = <T extends Notice | ServiceError>(said: readonly T[]) => (submission: Submission) => readonly T[];

/** What names articles of the call is for those who sent these; everything else is for everybody. */
export function createRouting(batch: readonly Submission[]): Routing {
  return (said) => {
    if (said.length === 0) return () => [];
    const senders = new Map(
      batch.flatMap((submission) => submission.updates.map(({ articleId }) => [articleId, submission] as const)),
    );
    const addressed = said.map((notice) => {
      const named = namesIn(saidIn(notice), senders.keys());
      return { notice, to: new Set(named.map((articleId) => senders.get(articleId))) };
    });
    return (submission) =>
      addressed.filter(({ to }) => to.size === 0 || to.has(submission)).map(({ notice }) => notice);
  };
}

/** All that it says, line by line, but for its code: a service may name articles in its data as well as in words. */
const saidIn = (notice: Notice | ServiceError): string =>
  textOf([notice.description, notice.extensionData, 'customData' in notice ? notice.customData : null]);

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(textOf).join('\n');
}

/** The IDs that stand in the text as words of their own: `a1` is not named by `a12`, nor by `a1-b`. */
function namesIn(text: string, articleIds: Iterable<string>): readonly string[] {
  const contained = Iterator.from(articleIds)
    .filter((id) => id !== '' && text.includes(id))
    .toArray()
    .sort((one, other) => other.length - one.length);
  if (contained.length === 0) return [];
  const names = new RegExp(`(?<![\\w-])(?:${contained.map(RegExp.escape).join('|')})(?![\\w-])`, 'gu');
  return text.match(names) ?? [];
}
