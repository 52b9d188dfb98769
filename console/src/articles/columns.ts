import {
  cellSelectionFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { View } from '../view.ts';
import { STATUSES } from './cell-values.ts';
import { MEMBER_NAMES } from './edits.ts';

export const features = tableFeatures({
  cellSelectionFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
});

const helper = createColumnHelper<typeof features, ArticleFieldsFragment>();

/** The column of the check boxes. */
export const SELECTION = 'selection';

/** The smallest and the largest width of a column in pixels. */
export const WIDTHS = { minSize: 60, maxSize: 900 } as const;

/** The columns, with widths in pixels. */
export const COLUMNS = helper.columns([
  helper.display({ id: SELECTION, header: 'Selected', size: 36, minSize: 36, enableResizing: false }),
  helper.accessor('title', { id: 'title', header: MEMBER_NAMES.title, size: 300 }),
  helper.accessor('category', { id: 'categoryId', header: MEMBER_NAMES.categoryId, size: 190 }),
  helper.accessor('hidden', { id: 'hidden', header: MEMBER_NAMES.hidden, size: 90 }),
  helper.accessor('order', { id: 'order', header: MEMBER_NAMES.order, size: 80 }),
  helper.accessor('translationStatus', { id: 'translationStatus', header: MEMBER_NAMES.translationStatus, size: 150 }),
  helper.display({ id: 'state', header: 'State', size: 160 }),
  helper.accessor(({ modifiedAt }) => timeText(modifiedAt), { id: 'modifiedAt', header: 'Changed', size: 170 }),
  helper.accessor(({ status }) => status && (STATUSES[status] ?? status), {
    id: 'status',
    header: 'Status',
    size: 100,
  }),
  helper.accessor('latestVersionNumber', { id: 'latestVersionNumber', header: 'Version', size: 80 }),
  helper.accessor('publicVersionNumber', { id: 'publicVersionNumber', header: 'Public version', size: 125 }),
  helper.accessor('articleId', { id: 'articleId', header: 'ID', size: 180 }),
]);

const ID_NAMES = new Map(COLUMNS.map(({ id = '', header }) => [id, String(header)]));

export const columnName = (id: string): string => ID_NAMES.get(id) ?? id;

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export const timeText = (time: string | null): string => (time === null ? '' : TIME.format(new Date(time)));

/** The orders of a list by the columns that they sort by. The first one is the usual one. */
export const ORDERS: Readonly<
  Record<string, { readonly order: View['order']; readonly direction: 'ascending' | 'descending' }>
> = {
  title: { order: 'TITLE', direction: 'ascending' },
  categoryId: { order: 'CATEGORY', direction: 'ascending' },
  modifiedAt: { order: 'MODIFIED_AT_DESC', direction: 'descending' },
};

/** The columns that stay in sight. */
export const frozenOf = ({ frozen }: Pick<View, 'frozen'>): readonly string[] => [SELECTION, 'title', ...frozen];

/** The columns of a view in their order, with those first that stay in sight. Columns that the page does not have are left out. */
export function orderOf({ columns, frozen }: Pick<View, 'columns' | 'frozen'>): readonly string[] {
  const ids = [SELECTION, 'title', ...columns, ...ID_NAMES.keys()].filter((id) => ID_NAMES.has(id));
  const isFrozen = (id: string) => frozenOf({ frozen }).includes(id);
  return [...new Set([...ids.filter(isFrozen), ...ids])];
}

export function widthsOf({ widths }: Pick<View, 'widths'>): Readonly<Record<string, number>> {
  const entries = widths.map((text): [string, number] => [text.split(':')[0] ?? '', Number(text.split(':')[1])]);
  return Object.fromEntries(entries.filter(([id, width]) => ID_NAMES.has(id) && width > 0));
}

/** The widths of a view as its texts. */
export const widthTexts = (widths: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(widths).map(([id, width]) => `${id}:${Math.round(width)}`);
