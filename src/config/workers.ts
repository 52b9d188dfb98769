import { z } from 'zod';

const MAX_WORKERS = 128;
const ALLOWED = `a whole number from 1 to ${MAX_WORKERS}, or auto (one for each core)`;

/** One for each core. */
export type Workers = number | 'auto';

const isWorkerCount = (text: string): boolean => {
  if (text === 'auto') return true;
  return /^\d{1,3}$/u.test(text) && Number(text) >= 1 && Number(text) <= MAX_WORKERS;
};

/** How many processes serve on the port. */
export const workerSettings = z.object({
  WORKERS: z
    .string()
    .refine(isWorkerCount, ALLOWED)
    .transform((text): Workers => (text === 'auto' ? text : Number(text)))
    .default(1),
});

/** A store in memory is that of one process: several would each answer from another one. */
export const withWorkerRule = <T extends z.ZodType<{ DATABASE_URL: string; WORKERS: Workers }>>(schema: T): T =>
  schema.refine(({ DATABASE_URL, WORKERS }) => DATABASE_URL !== 'sqlite::memory:' || WORKERS === 1, {
    path: ['WORKERS'],
    error: '1 with sqlite::memory:, which is a store of one process',
    when: () => true,
  });
