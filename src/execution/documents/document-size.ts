import {
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { QueryLimits } from '../../domain/limits.ts';
import type { RequestErrorCode } from '../../domain/request-errors.ts';
import { type Fragments, fragmentsOf } from './fragments.ts';

/** The size of a selection set with its fragments expanded. */
interface SelectionSize {
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
  /** Fields of its own level. */
  readonly directFields: number;
}

const EMPTY_SIZE: SelectionSize = { fields: 0, aliases: 0, depth: 0, directFields: 0 };

/** Nested fragments are walked by recursion too, as brackets are. */
const MAX_FRAGMENT_DEPTH = 200;

interface Measurement {
  readonly limits: QueryLimits;
  readonly fragments: Fragments;
  /** Each fragment is measured once, since fragments that spread each other can expand exponentially. */
  readonly measured: Map<string, SelectionSize>;
  /** Names of the fragments around the current selection. */
  readonly openFragments: Set<string>;
}

/**
 * Throws when a document exceeds a limit or a fragment spreads itself. Runs before validation, whose time grows faster
 * than the document. Returns the number of fields with all fragments expanded.
 */
export function checkDocumentSize(document: DocumentNode, limits: QueryLimits): number {
  const measurement: Measurement = {
    limits,
    fragments: fragmentsOf(document),
    measured: new Map(),
    openFragments: new Set(),
  };
  let fields = 0;
  for (const definition of document.definitions) {
    checkDirectives(measurement, definition);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) measureFragment(measurement, definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = measureOperation(measurement, definition);
    fields += size.fields;
    checkLimit('fields', fields, limits.maxQueryFields);
  }
  return fields;
}

function measureOperation(
  measurement: Measurement,
  { selectionSet, variableDefinitions = [] }: OperationDefinitionNode,
): SelectionSize {
  for (const variable of variableDefinitions) checkDirectives(measurement, variable);
  const size = measureSelectionSet(measurement, selectionSet);
  checkLimit('fields at the root of an operation', size.directFields, measurement.limits.maxQueryRootFields);
  return size;
}

function measureSelectionSet(measurement: Measurement, { selections }: SelectionSetNode): SelectionSize {
  const { maxQueryFields, maxQueryAliases, maxQueryDepth } = measurement.limits;
  let size = EMPTY_SIZE;
  for (const selection of selections) {
    checkDirectives(measurement, selection);
    const part = measureSelection(measurement, selection);
    size = {
      fields: size.fields + part.fields,
      aliases: size.aliases + part.aliases,
      depth: Math.max(size.depth, part.depth),
      directFields: size.directFields + part.directFields,
    };
    checkLimit('fields', size.fields, maxQueryFields);
    checkLimit('aliases', size.aliases, maxQueryAliases);
    checkLimit('levels of fields within each other', size.depth, maxQueryDepth);
  }
  return size;
}

function measureSelection(measurement: Measurement, selection: SelectionNode): SelectionSize {
  if (selection.kind === Kind.INLINE_FRAGMENT) return measureSelectionSet(measurement, selection.selectionSet);
  if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(measurement, selection.name.value);
  const below = selection.selectionSet ? measureSelectionSet(measurement, selection.selectionSet) : EMPTY_SIZE;
  return {
    fields: below.fields + 1,
    aliases: below.aliases + (selection.alias ? 1 : 0),
    depth: below.depth + 1,
    directFields: 1,
  };
}

/** An unknown fragment counts nothing; validation rejects it. */
function measureFragment(measurement: Measurement, name: string): SelectionSize {
  const known = measurement.measured.get(name);
  if (known) return known;
  const fragment = measurement.fragments.get(name);
  if (!fragment) return EMPTY_SIZE;
  if (measurement.openFragments.has(name)) throw limitExceededError(`The fragment "${name}" must not spread itself.`);
  measurement.openFragments.add(name);
  checkLimit('fragments within each other', measurement.openFragments.size, MAX_FRAGMENT_DEPTH);
  const size = measureSelectionSet(measurement, fragment.selectionSet);
  measurement.openFragments.delete(name);
  measurement.measured.set(name, size);
  return size;
}

function checkDirectives(
  { limits }: Measurement,
  { directives = [] }: Pick<DefinitionNode | SelectionNode, 'directives'>,
) {
  checkLimit('directives in one place', directives.length, limits.maxQueryDirectives);
}

function checkLimit(what: string, count: number, limit: number): void {
  if (count > limit) throw limitExceededError(`The query must have at most ${limit} ${what}.`);
}

/** The error of a document that exceeds a limit. */
export const limitExceededError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' satisfies RequestErrorCode } });
