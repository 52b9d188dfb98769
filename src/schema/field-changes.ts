import type { FieldChange } from '../domain/field-changes.ts';
import { builder } from './builder.ts';

const ChangedFieldType = builder.enumType('ChangedField', {
  description: 'A property, under the name that it has where it is read.',
  values: {
    TITLE: { value: 'title', description: '`title` of an article or of a reader group.' },
    DESCRIPTION: { value: 'description', description: '`description` of a reader group.' },
    CONTENT: { value: 'content', description: '`content` of an article.' },
    HTML_CONTENT: { value: 'htmlContent', description: '`htmlContent` of an article of the HTML editor.' },
    CATEGORY_ID: { value: 'categoryId', description: 'The category of an article.' },
    HIDDEN: { value: 'hidden', description: '`hidden` of an article.' },
    TRANSLATION_STATUS: { value: 'translationStatus', description: '`translationStatus` of an article.' },
    ORDER: { value: 'order', description: '`order` of an article.' },
    SOURCE: {
      value: 'source',
      description: 'The text kept with an article for later reference, which no read gives back.',
    },
  } as const,
});

export const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A property that a write would change.',
  fields: (t) => ({
    field: t.expose('field', { type: ChangedFieldType, description: 'The property.' }),
    from: t.expose('from', {
      type: 'JSON',
      nullable: true,
      description: 'Its value now; null where there is none.',
    }),
    to: t.expose('to', { type: 'JSON', nullable: true, description: 'Its value after the write.' }),
  }),
});
