import { z } from 'zod';

/** A whole number in decimal digits, from `min` to `max`. */
export const wholeNumberSetting = (fallback: number, min: number, max: number) => {
  const allowed = `a whole number from ${min} to ${max}`;
  const digits = z.string().regex(/^\d+$/u, allowed);
  return digits.transform(Number).pipe(z.int(allowed).min(min, allowed).max(max, allowed)).default(fallback);
};

export const oneOf = <const T extends readonly string[]>(allowed: T, fallback: T[number]) =>
  z.enum(allowed, allowed.join(', ').replace(/, (?=[^,]*$)/u, ' or ')).default(() => fallback);

/** One spelling is documented; `on` and `off` mean the same. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
]);

export const booleanSetting = (fallback: boolean) =>
  z
    .string()
    .refine((text) => BOOLEANS.has(text), 'true or false (on or off)')
    .transform((text) => BOOLEANS.get(text) ?? fallback)
    .default(fallback);

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/iu.test(host);

// Tokens are sent in a header, so line breaks must be impossible: visible ASCII only.
const TOKEN = /^[\x21-\x7e]{1,1024}$/u;

export const token = z.string().regex(TOKEN, '1 to 1024 visible ASCII characters').optional();

const isTokenList = (list: string) => list.split(',').every((text) => TOKEN.test(text.trim()));

/** The gateway's own tokens. */
export const tokenList = z
  .string()
  .refine(isTokenList, 'tokens of 1 to 1024 visible ASCII characters, separated by commas')
  .transform((list) => list.split(',').map((text) => text.trim()))
  .optional();

const isOrigin = (text: string): boolean => /^https?:[^*]+$/u.test(text) && URL.parse(text)?.origin === text;

/** Web origins exactly as browsers send them, without path or wildcard. */
export const originList = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine((origins) => origins.every(isOrigin), 'origins such as https://app.example, separated by commas')
  .default([]);

/** A name or an address to listen on. */
export const hostName = z
  .string()
  .regex(/^[\w.:%-]+$/u, 'a host name or an IP address')
  .default('127.0.0.1');
