import { z } from 'zod';
import { oneOf } from '../setting-types.ts';

interface PersistedDocumentsConfig {
  /** The file with the trusted documents. Null when there is none. */
  readonly path: string | null;
  /** `only`: no other documents are executed. */
  readonly mode: 'also' | 'only';
}

export const persistedDocumentsSettings = z.object({
  PERSISTED_DOCUMENTS: z
    .string()
    .refine((path) => !path.includes('\0'), 'the path of a file')
    .optional(),
  PERSISTED_DOCUMENTS_MODE: oneOf(['also', 'only'], 'also'),
});

type PersistedDocumentsSettings = z.infer<typeof persistedDocumentsSettings>;

/** Without a file, `only` would refuse every request. */
export const withPersistedDocumentsRule = <T extends z.ZodType<PersistedDocumentsSettings>>(schema: T): T =>
  schema.refine(
    ({ PERSISTED_DOCUMENTS, PERSISTED_DOCUMENTS_MODE: mode }) => mode !== 'only' || PERSISTED_DOCUMENTS !== undefined,
    {
      path: ['PERSISTED_DOCUMENTS'],
      error: 'a file of documents, with PERSISTED_DOCUMENTS_MODE=only',
      when: () => true,
    },
  );

export const persistedDocumentsConfig = (settings: PersistedDocumentsSettings): PersistedDocumentsConfig =>
  Object.freeze({ path: settings.PERSISTED_DOCUMENTS ?? null, mode: settings.PERSISTED_DOCUMENTS_MODE });
