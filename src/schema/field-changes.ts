import type { FieldChange } from '../domain/previews.ts';
import { builder } from './builder.ts';

export const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A property that a write would change.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The property, as the type that is read calls it: `title`.' }),
    from: t.expose('from', { type: 'JSON', nullable: true, description: 'Its value now; null where there is none.' }),
    to: t.expose('to', { type: 'JSON', nullable: true, description: 'Its value after the write.' }),
  }),
});
