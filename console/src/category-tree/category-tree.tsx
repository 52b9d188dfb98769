import {
  dragAndDropFeature,
  hotkeysCoreFeature,
  type ItemInstance,
  syncDataLoaderFeature,
  type TreeConfig,
} from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import type { CSSProperties, MouseEvent } from 'react';
import { DRAGGED_ARTICLES } from '../articles/selection.ts';
import { Button } from '../parts.tsx';
import { useShared } from '../shared.ts';

const ROOT = 'root';

/** The first item, which stands for no category. */
const ALL = 'all';

interface CategoryTreeProps {
  /** Filters the list by a category; '' takes the filter off. */
  onChoose: (categoryId: string) => void;
  /** Moves articles to a category. */
  onDrop: (articleIds: readonly string[], categoryId: string) => void;
}

/** The categories as a tree. A chosen one filters the list, and articles are dropped on one to move them there. */
export function CategoryTree(props: CategoryTreeProps) {
  const { view } = useShared();
  const tree = useTree(useConfig(props));
  const click = (item: ItemInstance<string>, event: MouseEvent) => {
    const isTwist = event.target instanceof Element && event.target.matches('.twist');
    item.setFocused();
    if (item.isExpanded()) isTwist && item.collapse();
    else item.expand();
    if (!isTwist) props.onChoose(item.getId() === ALL ? '' : item.getId());
  };
  return (
    <div {...tree.getContainerProps('Categories')}>
      {tree.getItems().map((item) => (
        <Button key={item.getId()} {...propsOf(item, view.category || ALL)} onClick={(event) => click(item, event)}>
          <span className="twist" aria-hidden="true">
            {item.isFolder() && (item.isExpanded() ? '▾' : '▸')}
          </span>
          {item.getItemName()}
        </Button>
      ))}
    </div>
  );
}

const propsOf = (item: ItemInstance<string>, chosen: string) => {
  const style: CSSProperties & { '--level': number } = { '--level': item.getItemMeta().level };
  const isChosen = item.getId() === chosen;
  return { ...item.getProps(), 'aria-selected': isChosen, 'data-target': item.isDragTarget(), style };
};

/** The items are the names of the categories by their IDs. */
function useConfig({ onDrop }: CategoryTreeProps): TreeConfig<string> {
  const { view, categories, mayWrite } = useShared();
  const byId = new Map(categories.map((category) => [category.categoryId, category]));
  const childrenOf = (id: string): string[] =>
    categories.filter(({ parentId }) => (parentId ?? ROOT) === id).map(({ categoryId }) => categoryId);
  const pathTo = (id: string): string[] => {
    const category = byId.get(id);
    return category ? [...pathTo(category.parentId ?? ''), id] : [];
  };
  const takes = (dataTransfer: DataTransfer, { item }: { item: ItemInstance<string> }) =>
    mayWrite && dataTransfer.types.includes(DRAGGED_ARTICLES) && byId.has(item.getId());
  return {
    rootItemId: ROOT,
    initialState: { expandedItems: pathTo(view.category) },
    getItemName: (item) => item.getItemData(),
    isItemFolder: (item) => childrenOf(item.getId()).length > 0,
    dataLoader: {
      getItem: (id) => byId.get(id)?.name ?? 'All articles',
      getChildren: (id) => (id === ROOT ? [ALL, ...childrenOf(ROOT)] : childrenOf(id)),
    },
    canReorder: false,
    canDrag: () => false,
    canDrop: () => true,
    canDragForeignDragObjectOver: takes,
    canDropForeignDragObject: takes,
    onDropForeignDragObject: (dataTransfer, { item }) =>
      onDrop(dataTransfer.getData(DRAGGED_ARTICLES).split(' '), item.getId()),
    features: [syncDataLoaderFeature, hotkeysCoreFeature, dragAndDropFeature],
  };
}
