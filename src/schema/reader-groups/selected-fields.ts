import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * True where one of the named fields is selected anywhere below the field that is resolved, in whatever type. What `@skip` and
 * `@include` say is not looked at.
 */
export function selects({ fieldNodes, fragments }: Info, names: ReadonlySet<string>): boolean {
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
