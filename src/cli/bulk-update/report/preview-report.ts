import { toPrintable } from '../../../base/printable.ts';
import type { PreviewedItem } from '../gateway/preview-rows.ts';

/** Counts previewed rows, and describes those that would change something or fail. */
export class PreviewReport {
  #changed = 0;
  #unchanged = 0;
  #failing = 0;

  /** Null for a row that would change nothing. */
  describe(line: number, { articleId, issues, changes }: PreviewedItem): string | null {
    const place = `line ${line}, ${toPrintable(articleId)}`;
    if (issues.length > 0) {
      this.#failing += 1;
      return `${place}: would fail: ${issues.map(({ message }) => toPrintable(message)).join(' ')}`;
    }
    if (changes.length === 0) {
      this.#unchanged += 1;
      return null;
    }
    this.#changed += 1;
    return `${place}: ${changes.map(({ field, from, to }) => `${field} ${shown(from)} -> ${shown(to)}`).join('; ')}`;
  }

  table(): string {
    const counts = { 'would change': this.#changed, unchanged: this.#unchanged, 'would fail': this.#failing };
    return Object.entries(counts)
      .map(([name, count]) => `${name.padEnd(15)}${`${count}`.padStart(9)}\n`)
      .join('');
  }
}

/** Characters of a value that are shown. */
const MAX_SHOWN_CHARS = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return toPrintable(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text);
}
