import type {} from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the tests of a suite, or a test, are skipped on this machine: a clause, which the end of the run shows. */
    readonly skipReason?: string;
  }
}

interface Need {
  readonly skip: boolean;
  readonly meta: { readonly skipReason: string };
}

/** The options of tests that need something which a machine may lack; where it does, the end of the run says so. */
export const needs = (isThere: boolean, skipReason: string): Need => ({ skip: !isThere, meta: { skipReason } });
