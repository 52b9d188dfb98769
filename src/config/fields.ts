import { z } from 'zod';

/** A whole number in decimal digits, from `min` to `max`. */
export const wholeNumber = (fallback: number, min: number, max: number) => {
  const allowed = `a whole number from ${min} to ${max}`;
  const digits = z.string().regex(/^\d+$/u, allowed);
  return digits.transform(Number).pipe(z.int(allowed).min(min, allowed).max(max, allowed)).default(fallback);
};

export const oneOf = <const T extends readonly string[]>(allowed: T, fallback: T[number]) =>
  z.enum(allowed, allowed.join(', ').replace(/, (?=[^,]*$)/u, ' or ')).default(() => fallback);

/** Whether only this machine reaches that address. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/iu.test(host);

const isOrigin = (text: string): boolean => /^https?:[^*]+$/u.test(text) && URL.parse(text)?.origin === text;

/** Web origins exactly as browsers send them: no path, no wildcard. */
export const originList = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .refine((origins) => origins.every(isOrigin), 'origins such as https://app.example, separated by commas')
  .default([]);
