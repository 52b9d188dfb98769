import { idKeyOf } from './text.ts';

/**
 * A map by ID that also finds an ID in another case, as answers may have it. An exact match takes precedence; among
 * several IDs that differ in case alone, only an exact match is found.
 *
 * @example new IdMap([['A1', 'one']]).get('a1') // 'one'
 */
export class IdMap<Value> extends Map<string, Value> {
  /** The values by `idKeyOf`, undefined where several IDs have the key; built for the first ID without an exact match. */
  #byKey: Map<string, Value | undefined> | null = null;

  override get(id: string): Value | undefined {
    if (super.has(id)) return super.get(id);
    if (this.#byKey === null) {
      this.#byKey = new Map();
      for (const [other, value] of this) {
        const key = idKeyOf(other);
        this.#byKey.set(key, this.#byKey.has(key) ? undefined : value);
      }
    }
    return this.#byKey.get(idKeyOf(id));
  }

  override has(id: string): boolean {
    return super.has(id) || this.get(id) !== undefined;
  }

  override set(id: string, value: Value): this {
    // The constructor of Map sets entries before this class has its own members.
    if (#byKey in this) this.#byKey = null;
    return super.set(id, value);
  }
}
