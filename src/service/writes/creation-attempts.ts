import { hash } from 'node:crypto';
import { type ArticleCreation, type CreationOutcome, placeOf } from '../../core/articles/article-creations.ts';
import { MAX_REMEMBERED_CREATES } from '../../core/base/limits.ts';

/** The create of one article, from before its call on. */
export interface CreationAttempt {
  readonly id: string;
  /** The hash of what makes it equal to others. */
  readonly place: string;
  /** `performance.now()` when its call began. Until then it is when the attempt was made. */
  beganAt: number;
  /** `performance.now()` when its outcome was known or given up; null while it is in flight. */
  endedAt: number | null;
  /** The article that was reported as created by it; null while none was. */
  articleId: string | null;
}

/** How long a call without an answer may still create an article, in milliseconds. */
const LATE_MS = 60_000;

/**
 * The creates of this process, so that no article is reported as created to two of them. An article that was reported belongs to its
 * create. One that is found belongs to nobody as long as another equal create may have made it: one in flight, or one that
 * ended unknown. Oldest ones are forgotten, and what they overlapped with stays unknown.
 */
export class CreationAttempts {
  readonly #ended = new Map<string, CreationAttempt>();
  readonly #byPlace = new Map<string, Set<CreationAttempt>>();
  readonly #reportedIds = new Set<string>();
  /** The latest end of those that were forgotten. */
  #forgottenUntil = Number.NEGATIVE_INFINITY;

  begin(item: ArticleCreation): CreationAttempt {
    const place = hash('sha256', placeOf(item), 'base64url');
    const attempt = { id: crypto.randomUUID(), place, beganAt: performance.now(), endedAt: null, articleId: null };
    const others = this.#byPlace.get(place) ?? new Set();
    this.#byPlace.set(place, others.add(attempt));
    return attempt;
  }

  /** Called once. Without an outcome, the create may have had any. */
  end(attempt: CreationAttempt, outcome: CreationOutcome | undefined): void {
    attempt.endedAt = performance.now();
    if (outcome?.kind === 'failed' || outcome?.kind === 'not-attempted') {
      this.#leavePlace(attempt);
      return;
    }
    this.#ended.set(attempt.id, attempt);
    if (outcome?.kind === 'created') this.#report(attempt, outcome.articleId);
    for (const oldest of this.#ended.values()) {
      if (this.#ended.size <= MAX_REMEMBERED_CREATES) return;
      this.#forget(oldest);
    }
  }

  /** One that has ended; undefined for one of another process, or a forgotten one. */
  find(id: string): CreationAttempt | undefined {
    return this.#ended.get(id);
  }

  isReported(articleId: string): boolean {
    return this.#reportedIds.has(articleId.toLowerCase());
  }

  /** The equal creates that may have made what is found for this one: none, some whose outcome is still to come, or some without one. */
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

  /** Gives a found article to a create. False where another one has it, or may have made it. */
  tryClaim(attempt: CreationAttempt, articleId: string): boolean {
    if (this.isReported(articleId) || this.rivalsOf(attempt) !== 'none') return false;
    this.#report(attempt, articleId);
    return true;
  }

  #report(attempt: CreationAttempt, articleId: string): void {
    attempt.articleId = articleId;
    this.#reportedIds.add(articleId.toLowerCase());
    this.#leavePlace(attempt);
  }

  #forget(attempt: CreationAttempt): void {
    this.#ended.delete(attempt.id);
    this.#leavePlace(attempt);
    if (attempt.articleId !== null) this.#reportedIds.delete(attempt.articleId.toLowerCase());
    this.#forgottenUntil = Math.max(this.#forgottenUntil, attempt.endedAt ?? performance.now());
  }

  #leavePlace(attempt: CreationAttempt): void {
    const others = this.#byPlace.get(attempt.place);
    others?.delete(attempt);
    if (others?.size === 0) this.#byPlace.delete(attempt.place);
  }
}
