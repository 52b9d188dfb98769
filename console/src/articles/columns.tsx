import { columnSizingFeature, columnVisibilityFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { ArticleFieldsFragment, ArticleOrder, ArticleTranslationStatus } from '../generated/graphql.ts';

/** Total: a new status of the schema does not compile without a name. */
export const TRANSLATIONS: Record<ArticleTranslationStatus, string> = {
  NONE: 'None',
  NEEDS_TRANSLATION: 'Needs translation',
  IN_PROGRESS: 'In progress',
  TRANSLATED: 'Translated',
  UNRECOGNIZED: 'Unknown',
};

export const features = tableFeatures({ columnVisibilityFeature, columnSizingFeature });

const helper = createColumnHelper<typeof features, ArticleFieldsFragment>();

/** Sizes are in pixels; the first column takes what is left. */
export const COLUMNS = helper.columns([
  helper.accessor('title', { header: 'Title', size: 240 }),
  helper.accessor(({ category }) => category?.name ?? '', { id: 'categoryId', header: 'Category', size: 160 }),
  helper.accessor(({ hidden }) => (hidden ? 'Hidden' : 'Shown'), { id: 'hidden', header: 'Hidden', size: 90 }),
  helper.accessor(({ order }) => order ?? '', { id: 'order', header: 'Order', size: 80 }),
  helper.accessor(({ translationStatus: status }) => (status === null ? '' : (TRANSLATIONS[status] ?? status)), {
    id: 'translationStatus',
    header: 'Translation',
    size: 160,
  }),
  helper.accessor(({ modifiedAt }) => timeText(modifiedAt), { id: 'modifiedAt', header: 'Changed', size: 150 }),
  helper.accessor(({ latestVersionNumber }) => latestVersionNumber ?? '', {
    id: 'latestVersionNumber',
    header: 'Version',
    size: 80,
  }),
  helper.accessor('articleId', { header: 'ID', size: 180 }),
]);

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const timeText = (time: string | null): string => (time === null ? '' : TIME.format(new Date(time)));

/** The orders of a list, by the columns that they sort by. */
export const ORDERS: Readonly<Record<string, ArticleOrder>> = { title: 'TITLE', modifiedAt: 'MODIFIED_AT_DESC' };
