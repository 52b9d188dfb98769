import { readFileSync } from 'node:fs';

/** An answer of the service as a file: what it is and where it comes from, its status and its body. */
export interface Fixture {
  readonly about: string;
  readonly status: number;
  readonly body: unknown;
}

export function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`../fixtures/v2/${name}.json`, import.meta.url), 'utf8'));
}

/** The service writes no blanks: the body byte for byte. */
export const textOf = ({ body }: Fixture): string => JSON.stringify(body);
