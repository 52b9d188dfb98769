import { z } from 'zod';
import type { RequestLimits } from '../domain/limits.ts';
import { wholeNumberSetting } from './setting-types.ts';

/** The settings that bound the size and cost of one request. */
export const limitSettings = z.object({
  MAX_QUERY_BYTES: wholeNumberSetting(64 * 1024, 1, 16 * 1024 ** 2),
  MAX_QUERY_TOKENS: wholeNumberSetting(3_000, 1, 1_000_000),
  MAX_QUERY_DEPTH: wholeNumberSetting(16, 1, 100),
  MAX_QUERY_FIELDS: wholeNumberSetting(1_000, 1, 100_000),
  MAX_QUERY_ALIASES: wholeNumberSetting(100, 0, 100_000),
  MAX_ROOT_FIELDS: wholeNumberSetting(50, 1, 100_000),
  MAX_QUERY_DIRECTIVES: wholeNumberSetting(5, 0, 1_000),
  MAX_INPUT_VALUES: wholeNumberSetting(300_000, 1, 100_000_000),
  MAX_LIST_ITEMS: wholeNumberSetting(50_000, 1, 10_000_000),
  MAX_ANSWER_FIELDS: wholeNumberSetting(300_000, 1, 100_000_000),
  MAX_ANSWER_CHARS: wholeNumberSetting(20_000_000, 1, 400_000_000),
  QUERY_CACHE_BYTES: wholeNumberSetting(32 * 1024 ** 2, 0, 4 * 1024 ** 3),
});

export const requestLimits = (settings: z.infer<typeof limitSettings>): RequestLimits =>
  Object.freeze({
    maxQueryBytes: settings.MAX_QUERY_BYTES,
    maxQueryTokens: settings.MAX_QUERY_TOKENS,
    maxQueryDepth: settings.MAX_QUERY_DEPTH,
    maxQueryFields: settings.MAX_QUERY_FIELDS,
    maxQueryAliases: settings.MAX_QUERY_ALIASES,
    maxQueryRootFields: settings.MAX_ROOT_FIELDS,
    maxQueryDirectives: settings.MAX_QUERY_DIRECTIVES,
    maxValues: settings.MAX_INPUT_VALUES,
    maxListItems: settings.MAX_LIST_ITEMS,
    maxAnswerFields: settings.MAX_ANSWER_FIELDS,
    maxAnswerChars: settings.MAX_ANSWER_CHARS,
    queryCacheBytes: settings.QUERY_CACHE_BYTES,
  });
