import type { FieldChange } from '../../core/field-changes.ts';
import { builder } from './builder.ts';

export const ChangedFieldType = builder.enumType('ChangedField', {
  description: 'A property of an article or of a reader group, named like the field that reads it.',
  values: {
    TITLE: { value: 'title', description: 'The `title` of an article or of a reader group.' },
    DESCRIPTION: { value: 'description', description: 'The `description` of a reader group.' },
    CONTENT: { value: 'content', description: 'The `content` of an article.' },
    HTML_CONTENT: { value: 'htmlContent', description: 'The `htmlContent` of an article of the HTML editor.' },
    CATEGORY_ID: { value: 'categoryId', description: 'The ID of the category of an article.' },
    HIDDEN: { value: 'hidden', description: 'The `hidden` of an article.' },
    TRANSLATION_STATUS: { value: 'translationStatus', description: 'The `translationStatus` of an article.' },
    ORDER: { value: 'order', description: 'The `order` of an article.' },
    SOURCE: {
      value: 'source',
      description:
        'The text that the service keeps with an article for later reference. It can be written and not read.',
    },
    STATUS: { value: 'status', description: 'The `status` of the version that is published or unpublished.' },
    PUBLIC_VERSION_NUMBER: { value: 'publicVersionNumber', description: 'The `publicVersionNumber` of an article.' },
  } as const,
});

export const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A property that a write would change, with its values before and after.',
  fields: (t) => ({
    // A resolver rather than an exposed member, so that the compiler names a member that the enum lacks.
    field: t.field({
      type: ChangedFieldType,
      description: 'The property that would change.',
      resolve: ({ field }) => field,
    }),
    from: t.expose('from', {
      type: 'JSON',
      nullable: true,
      description: 'The value before the write; null when the property is not set, or cannot be read.',
    }),
    to: t.expose('to', {
      type: 'JSON',
      nullable: true,
      description: 'The value after the write; null when the property would be cleared.',
    }),
  }),
});
