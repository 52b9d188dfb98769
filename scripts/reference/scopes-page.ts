import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { ok } from '../../src/core/base/result.ts';
import { CLIENT_SCOPES } from '../../src/core/callers/caller.ts';
import { GENERATED, pageOf, table } from './markdown.ts';

/** Gives itself for every member and every call, so that a resolver finds whatever it looks for in its arguments. */
const anything: object = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : anything),
});

/** Runs a resolver for a client who has every scope, up to its first use of the backend. Returns the scopes that it asked for. */
async function scopesAskedBy(resolve: GraphQLFieldResolver<unknown, unknown>): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  const client = ok({ subject: 'anybody', scopes: { has: (scope: string) => asked.add(scope) } });
  const context = { caller: { client }, backend: { authenticate: () => ok(undefined) }, limits: {} };
  try {
    await Reflect.apply(resolve, undefined, [anything, anything, context, anything]);
  } catch {
    // There is no backend that it could use.
  }
  return asked;
}

interface FieldScopes {
  readonly field: string;
  readonly scopes: ReadonlySet<string>;
}

/** The fields of the schema whose resolvers ask for scopes, found out by running them all. */
export async function fieldScopesOf(schema: GraphQLSchema): Promise<readonly FieldScopes[]> {
  const found: FieldScopes[] = [];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const { name, resolve } of Object.values(type.getFields())) {
      const scopes = resolve ? await scopesAskedBy(resolve) : new Set<string>();
      if (scopes.size > 0) found.push({ field: `${type.name}.${name}`, scopes });
    }
  }
  return found.sort((one, other) => (one.field < other.field ? -1 : 1));
}

/** The page on the scopes of JWTs. */
export async function scopesPage(schema: GraphQLSchema): Promise<string> {
  const found = await fieldScopesOf(schema);
  const rows = CLIENT_SCOPES.map((scope) => [
    `\`${scope}\``,
    found.flatMap(({ field, scopes }) => (scopes.has(scope) ? [`\`${field}\``] : [])).join(', '),
  ]);
  const about =
    'Where clients have JWTs, each of these fields needs the scopes beside which it stands: a preview stands twice. All other fields need none of their own.';
  return pageOf(['# Scopes of JWTs', GENERATED, about, table(['scope', 'fields that need it'], rows)]);
}
