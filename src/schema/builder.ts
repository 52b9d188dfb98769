import SchemaBuilder from '@pothos/core';
import type { Context } from './context.ts';

/** The builder to which each file of this folder adds its types. Output fields are non-null by default. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: never; Output: unknown };
  };
}>({ defaultFieldNullability: false });
