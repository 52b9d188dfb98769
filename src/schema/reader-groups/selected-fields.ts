import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type SelectionInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * True when the selection below the resolved field has one of these fields, at any depth. Ignores `@skip` and
 * `@include`.
 */
export function selectsAnyField({ fieldNodes, fragments }: SelectionInfo, names: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  const selectsBelow = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return names.has(selection.name.value) || selectsIn(selection);
      if (selection.kind === Kind.INLINE_FRAGMENT) return selectsBelow(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return false;
      seen.add(name);
      const fragment = fragments[name];
      return fragment !== undefined && selectsBelow(fragment.selectionSet);
    });
  const selectsIn = ({ selectionSet }: FieldNode): boolean => selectionSet !== undefined && selectsBelow(selectionSet);
  return fieldNodes.some(selectsIn);
}
