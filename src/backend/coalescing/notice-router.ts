import { HTML_DEPRECATED, type Notice, type ServiceError } from '../../domain/notices.ts';
import type { Submission } from './batch.ts';
import { MAX_CHARS_OF_ONE, textsOf, wordsIn } from './named-words.ts';

/** The texts of the answer to a merged call, each for the one caller that it is about. */
export interface Routed<T> {
  for(submission: Submission): readonly T[];
  /** Texts that go to nobody, since nothing shows whose they are. */
  readonly withheld: number;
}

/** Tells of what was said to a merged call what is for whom. */
export type Routing = <T extends Notice | ServiceError>(said: readonly T[]) => Routed<T>;

/**
 * A text is for the one caller whose article it names. A text that names articles of two callers, or none, may be about
 * anybody's items and quote them, so nobody gets it. What is said of the field `html_content` is for those who sent it.
 */
export function createRouting(batch: readonly Submission[]): Routing {
  let known: Senders | null = null;
  let room = MAX_CHARS;
  const textsIn = (notice: Notice | ServiceError) => {
    if (room <= 0) return null;
    const texts = textsOf(notice);
    room -= LEAST_CHARS + (texts?.join('').length ?? MAX_CHARS_OF_ONE);
    return texts;
  };
  return <T extends Notice | ServiceError>(said: readonly T[]) => {
    if (said.length === 0) return NOTHING;
    known ??= sendersOf(batch);
    const own = new Map<Submission, T[]>();
    let withheld = 0;
    for (const notice of said) {
      const hearers = hearersOf(notice, textsIn(notice), known);
      if (hearers.length === 0) withheld += 1;
      for (const hearer of hearers) {
        const heard = own.get(hearer);
        if (heard) heard.push(notice);
        else own.set(hearer, [notice]);
      }
    }
    return { for: (submission) => own.get(submission) ?? [], withheld };
  };
}

/** So much is looked through in one answer, each text counting for some characters at least; the rest goes to nobody. */
const [MAX_CHARS, LEAST_CHARS] = [200_000, 20];

const NOTHING: Routed<never> = { for: () => [], withheld: 0 };

/** The callers of a merged call, and the items that each of them sent. */
interface Senders {
  /** By article ID in lower case, since a service may write IDs in another case than they were sent in. */
  readonly ofArticle: ReadonlyMap<string, Submission>;
  /** Some ID has parts that may stand in a text as words of their own, so that no text shows whose it is. */
  readonly areAmbiguous: boolean;
  readonly ofHtml: readonly Submission[];
}

function sendersOf(batch: readonly Submission[]): Senders {
  const ofArticle = new Map<string, Submission>();
  for (const submission of batch)
    for (const { articleId } of submission.updates)
      if (articleId !== '') ofArticle.set(articleId.toLowerCase(), submission);
  const isOneWord = (articleId: string) => wordsIn(articleId)[0] === articleId;
  return {
    ofArticle,
    areAmbiguous: !ofArticle.keys().every(isOneWord),
    ofHtml: batch.filter(({ updates }) => updates.some(({ htmlContent }) => htmlContent != null)),
  };
}

function hearersOf(
  notice: Notice | ServiceError,
  texts: readonly string[] | null,
  { ofArticle, areAmbiguous, ofHtml }: Senders,
): readonly Submission[] {
  if (texts === null) return [];
  if (texts.length === 1 && texts[0] === HTML_DEPRECATED.description) return ofHtml;
  if (areAmbiguous) return [];
  const named = texts.flatMap(wordsIn).filter((word) => ofArticle.has(word));
  const hearers = new Set(named.flatMap((articleId) => ofArticle.get(articleId) ?? []));
  if (hearers.size === 1) return named.some(isDistinctive) ? [...hearers] : [];
  return hearers.size === 0 && ofHtml.length === 1 && isOfHtml(notice) ? ofHtml : [];
}

/** An ID without a letter or without a digit may stand in a text by chance, and who chooses the ID may want it to. */
const isDistinctive = (articleId: string): boolean => /\p{L}/u.test(articleId) && /\d/u.test(articleId);

const isOfHtml = ({ description }: Notice | ServiceError): boolean =>
  description !== null && /deprecat/iu.test(description) && wordsIn(description).includes('html_content');
