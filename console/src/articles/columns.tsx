import { columnSizingFeature, columnVisibilityFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';
import type { View } from '../view.ts';
import { STATUSES } from './cell-values.ts';
import { MEMBER_NAMES } from './edits.ts';

export const features = tableFeatures({ columnVisibilityFeature, columnSizingFeature });

const helper = createColumnHelper<typeof features, ArticleFieldsFragment>();

/** The columns, with sizes in pixels. The first one takes the remaining width. */
export const COLUMNS = helper.columns([
  helper.accessor('title', { id: 'title', header: MEMBER_NAMES.title, size: 260 }),
  helper.display({ id: 'state', header: 'State', size: 150 }),
  helper.accessor('category', { id: 'categoryId', header: MEMBER_NAMES.categoryId, size: 180 }),
  helper.accessor('hidden', { id: 'hidden', header: MEMBER_NAMES.hidden, size: 90 }),
  helper.accessor('order', { id: 'order', header: MEMBER_NAMES.order, size: 80 }),
  helper.accessor('translationStatus', { id: 'translationStatus', header: MEMBER_NAMES.translationStatus, size: 130 }),
  helper.accessor(({ modifiedAt }) => timeText(modifiedAt), { id: 'modifiedAt', header: 'Changed', size: 165 }),
  helper.accessor(({ latestVersionNumber }) => latestVersionNumber ?? '', {
    id: 'latestVersionNumber',
    header: 'Version',
    size: 75,
  }),
  helper.accessor(({ status }) => (status === null ? '' : (STATUSES[status] ?? status)), {
    id: 'status',
    header: 'Status',
    size: 90,
  }),
  helper.accessor(({ publicVersionNumber }) => publicVersionNumber ?? '', {
    id: 'publicVersionNumber',
    header: 'Public version',
    size: 120,
  }),
  helper.accessor('articleId', { id: 'articleId', header: 'ID', size: 180 }),
]);

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const timeText = (time: string | null): string => (time === null ? '' : TIME.format(new Date(time)));

/** The orders of a list by the columns that they sort by. */
export const ORDERS: Readonly<
  Record<string, { readonly order: View['order']; readonly direction: 'ascending' | 'descending' }>
> = {
  title: { order: 'TITLE', direction: 'ascending' },
  modifiedAt: { order: 'MODIFIED_AT_DESC', direction: 'descending' },
};
