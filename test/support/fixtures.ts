import { readFileSync } from 'node:fs';

/** A response of the service. `about` says what it is and where it comes from. */
export interface Fixture {
  readonly about: string;
  readonly status: number;
  readonly body: unknown;
}

export function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`../fixtures/v2/${name}.json`, import.meta.url), 'utf8'));
}

/** The body byte for byte: the service writes no white space. */
export const textOf = ({ body }: Fixture): string => JSON.stringify(body);
