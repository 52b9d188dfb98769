import type { Notice, ServiceError } from '../../domain/notices.ts';
import type { Envelope } from '../../v2/envelope.ts';

/** Characters of JSON that the answers to all later chunks together may add to what the first one said. */
const MAX_ADDED = 1_000_000;

/**
 * What the service says beside the outcomes, gathered from one chunk after another. The first answer is taken as it came. Of
 * the others only new notices are added, since each chunk says the same again, and everything only as long as there is room:
 * a list may have two hundred chunks, and each of their answers 10 MB.
 */
export class SaidByChunks {
  readonly warnings = new GatheredTexts<Notice>({ isUnique: true });
  readonly information = new GatheredTexts<Notice>({ isUnique: true });
  readonly serviceErrors = new GatheredTexts<ServiceError>({ isUnique: false });

  add(envelope: Envelope | null, serviceErrors: readonly ServiceError[]): void {
    this.warnings.add(envelope?.warnings ?? []);
    this.information.add(envelope?.information ?? []);
    this.serviceErrors.add(serviceErrors);
  }
}

class GatheredTexts<T extends object> {
  readonly #isUnique: boolean;
  #all: readonly T[] = [];
  #known: Set<string> | null = null;
  #room = MAX_ADDED;

  constructor({ isUnique }: { readonly isUnique: boolean }) {
    this.#isUnique = isUnique;
  }

  get all(): readonly T[] {
    return this.#all;
  }

  add(texts: readonly T[]): void {
    if (texts.length === 0 || this.#room <= 0) return;
    if (this.#all.length === 0) this.#all = texts;
    else this.#all = [...this.#all, ...this.#newAmong(texts)];
  }

  #newAmong(texts: readonly T[]): readonly T[] {
    const known = this.#known ?? new Set(this.#all.map((text) => JSON.stringify(text)));
    this.#known = known;
    return texts.filter((text) => {
      const key = JSON.stringify(text);
      if ((this.#isUnique && known.has(key)) || key.length > this.#room) return false;
      known.add(key);
      this.#room -= key.length;
      return true;
    });
  }
}
