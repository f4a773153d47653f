import { expect } from 'vitest';

/** A refusal, for `toMatchObject`. */
export function refusal(status: number, errcode: string, extra: Readonly<Record<string, unknown>> = {}) {
  return { status, body: { errcode, error: expect.any(String), ...extra } };
}
