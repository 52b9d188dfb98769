import { hash } from 'node:crypto';
import { type ArticleCreation, type CreationOutcome, placeOf } from '../../core/articles/article-creations.ts';
import { MAX_REMEMBERED_CREATES } from '../../core/base/limits.ts';
import type { IsOnlyOne } from './peer-creations.ts';

/** The create of one article, from before its call on. */
export interface CreationAttempt {
  readonly id: string;
  /** See `placeKeyOf`. */
  readonly place: string;
  /** `performance.now()` when the call began, or before that, when the attempt was made. */
  beganAt: number;
  /** `performance.now()` when its outcome was known or given up; null while it is in flight. */
  endedAt: number | null;
  /** The article that was reported as created by it; null while none was. */
  articleId: string | null;
  readonly isOnlyOne: IsOnlyOne;
}

/** A hash of the members by which creates are equal. */
export const placeKeyOf = (item: ArticleCreation): string => hash('sha256', placeOf(item), 'base64url');

/** True for an outcome after which there is no article, whenever one looks. */
export const hasCreatedNothing = ({ kind }: CreationOutcome): boolean => kind === 'failed' || kind === 'not-attempted';

/** Milliseconds for which a call without an answer may still create an article. */
const LATE_MS = 60_000;

/**
 * The creates of this process, so that no article is reported as created to two of them. A reported article belongs to
 * its create. A found article belongs to nobody while another equal create may have made it: one in flight, or one with
 * an unknown outcome. Other gateways announce theirs: see `peer-creations.ts`. The oldest creates are forgotten; the
 * outcomes of creates at the same time stay unknown.
 */
export class CreationAttempts {
  readonly #ended = new Map<string, CreationAttempt>();
  readonly #byPlace = new Map<string, Set<CreationAttempt>>();
  /** The place of each create that was reported, by the ID of its article. */
  readonly #reported = new Map<string, string>();
  /** The latest end of the forgotten creates. */
  #forgottenUntil = Number.NEGATIVE_INFINITY;

  begin(item: ArticleCreation, isOnlyOne: IsOnlyOne): CreationAttempt {
    const place = placeKeyOf(item);
    const attempt: CreationAttempt = {
      id: crypto.randomUUID(),
      place,
      isOnlyOne,
      beganAt: performance.now(),
      endedAt: null,
      articleId: null,
    };
    const others = this.#byPlace.get(place) ?? new Set();
    this.#byPlace.set(place, others.add(attempt));
    return attempt;
  }

  /**
   * Ends an attempt. It is called once. Without an outcome, the create may have had any. The article of the answer is
   * that of the attempt only where no equal create was reported with it.
   */
  end(attempt: CreationAttempt, outcome: CreationOutcome | undefined): void {
    attempt.endedAt = performance.now();
    if (outcome !== undefined && hasCreatedNothing(outcome)) {
      this.#leavePlace(attempt);
      return;
    }
    this.#ended.set(attempt.id, attempt);
    if (outcome?.kind === 'created' && this.#reported.get(outcome.articleId.toLowerCase()) !== attempt.place)
      this.#report(attempt, outcome.articleId);
    for (const oldest of this.#ended.values()) {
      if (this.#ended.size <= MAX_REMEMBERED_CREATES) return;
      this.#forget(oldest);
    }
  }

  /** An attempt that has ended; undefined for one of another process, or a forgotten one. */
  find(id: string): CreationAttempt | undefined {
    return this.#ended.get(id);
  }

  isReported(articleId: string): boolean {
    return this.#reported.has(articleId.toLowerCase());
  }

  /** The equal creates that may have made the article found for this one: none, some in flight, or some unknown. */
  rivalsOf(attempt: CreationAttempt): 'none' | 'in-flight' | 'unknown' {
    const since = attempt.beganAt - LATE_MS;
    if (since <= this.#forgottenUntil) return 'unknown';
    let rivals: 'none' | 'in-flight' = 'none';
    for (const other of this.#byPlace.get(attempt.place) ?? []) {
      if (other === attempt || other.articleId !== null) continue;
      if (other.endedAt === null) rivals = 'in-flight';
      else if (other.endedAt > since) return 'unknown';
    }
    return rivals;
  }

  /** Assigns a found article to a create. Returns false where another one has it, or may have made it. */
  tryClaim(attempt: CreationAttempt, articleId: string): boolean {
    if (this.isReported(articleId) || this.rivalsOf(attempt) !== 'none') return false;
    this.#report(attempt, articleId);
    return true;
  }

  #report(attempt: CreationAttempt, articleId: string): void {
    attempt.articleId = articleId;
    this.#reported.set(articleId.toLowerCase(), attempt.place);
    this.#leavePlace(attempt);
  }

  #forget(attempt: CreationAttempt): void {
    this.#ended.delete(attempt.id);
    this.#leavePlace(attempt);
    if (attempt.articleId !== null) this.#reported.delete(attempt.articleId.toLowerCase());
    this.#forgottenUntil = Math.max(this.#forgottenUntil, attempt.endedAt ?? performance.now());
  }

  #leavePlace(attempt: CreationAttempt): void {
    const others = this.#byPlace.get(attempt.place);
    others?.delete(attempt);
    if (others?.size === 0) this.#byPlace.delete(attempt.place);
  }
}
