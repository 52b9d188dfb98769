import SchemaBuilder from '@pothos/core';
import type { Context } from './context.ts';

/** Defines no types: each file beside this one adds its own. Output fields are non-null unless they say otherwise. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: never; Output: Date };
    JSON: { Input: never; Output: unknown };
  };
}>({ defaultFieldNullability: false });
