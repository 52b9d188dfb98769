import { z } from 'zod';

const MAX_WORKERS = 128;
const ALLOWED_COUNTS = `a whole number from 1 to ${MAX_WORKERS}, or auto (one for each core)`;

/** The variable with the number of a worker, which the supervisor sets. It is no setting. */
export const WORKER_MARK = 'KB_GATEWAY_WORKER';

/** 'auto' stands for one worker per core. */
export type WorkerCount = number | 'auto';

const isWorkerCount = (text: string): boolean => {
  if (text === 'auto') return true;
  return /^\d{1,3}$/u.test(text) && Number(text) >= 1 && Number(text) <= MAX_WORKERS;
};

export const workerSettings = z.object({
  WORKERS: z
    .string()
    .refine(isWorkerCount, ALLOWED_COUNTS)
    .transform((text): WorkerCount => (text === 'auto' ? text : Number(text)))
    .default(1),
});

/** A store in memory allows one worker only, because each process would have a store of its own. */
export const withWorkerRule = <T extends z.ZodType<{ DATABASE_URL: string; WORKERS: WorkerCount }>>(schema: T): T =>
  schema.refine(({ DATABASE_URL, WORKERS }) => DATABASE_URL !== 'sqlite::memory:' || WORKERS === 1, {
    path: ['WORKERS'],
    error: '1 with sqlite::memory:, which is a store of one process',
    when: () => true,
  });
