import { NoSchemaIntrospectionCustomRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** For gateways that keep their schema to themselves (`INTROSPECTION=off`). */
export const useNoIntrospection = (): Plugin => ({
  onValidate: ({ addValidationRule }) => addValidationRule(NoSchemaIntrospectionCustomRule),
});
