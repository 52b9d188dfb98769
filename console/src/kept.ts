/** Texts by their names, which this browser keeps, since the gateway keeps none. The oldest is the first. */
export type Kept = Readonly<Record<string, string>>;

export function readKept(key: string): Kept {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

/** Keeps the last of these texts, at most so many. A browser that keeps nothing has none after a reload. */
export function keep(key: string, texts: Kept, most: number): void {
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(Object.entries(texts).slice(-most))));
  } catch {
    // Its storage is full, or not allowed.
  }
}
