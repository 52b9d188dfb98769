import type { parseArgs } from 'node:util';

export type Variables = Readonly<Record<string, string | undefined>>;

/** `partly`: something failed, or is otherwise than expected. */
export const EXIT_CODES = { done: 0, failed: 1, misused: 2, partly: 3 } as const;

/** The options of all commands. Each command lists those that it takes. */
export const COMMAND_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  host: { type: 'string' },
  port: { type: 'string' },
  'config-check': { type: 'boolean' },
  strict: { type: 'boolean' },
  federation: { type: 'boolean' },
  scope: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  columns: { type: 'string' },
  failed: { type: 'string' },
  'for-spreadsheet': { type: 'boolean' },
  key: { type: 'string' },
  languages: { type: 'string' },
  'project-version': { type: 'string' },
  preview: { type: 'boolean' },
  resume: { type: 'boolean' },
  'only-failures': { type: 'boolean' },
  jobs: { type: 'boolean' },
  csv: { type: 'boolean' },
  'from-service': { type: 'boolean' },
  texts: { type: 'boolean' },
  publish: { type: 'boolean' },
  user: { type: 'string' },
  message: { type: 'string' },
  'keep-before': { type: 'boolean' },
  'if-published': { type: 'string' },
  'ignore-revisions': { type: 'boolean' },
  undo: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  include: { type: 'string' },
  exclude: { type: 'string' },
  gone: { type: 'string' },
  write: { type: 'boolean' },
  category: { type: 'string' },
  report: { type: 'string' },
} as const;

export type CommandOptions = Readonly<ReturnType<typeof parseArgs<{ options: typeof COMMAND_OPTIONS }>>['values']>;
