import { expect } from 'vitest';

export interface RejectedRequest {
  readonly status: number;
  readonly text: string;
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** Reads a response that must reject the whole request, and asserts what holds for all rejections. */
export async function readRejection(response: Response): Promise<RejectedRequest> {
  const text = await response.text();
  const { errors, ...rest }: { errors: RejectedRequest['errors'] } = JSON.parse(text);
  expect(rest).toEqual({});
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(20);
  for (const { extensions } of errors) expect(extensions.code).toMatch(/^[A-Z_]+$/u);
  expect(text).not.toMatch(/ at [^ ]+ \(|node_modules|node:internal|\.ts:\d/u);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return { status: response.status, text, errors };
}
