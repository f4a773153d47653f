import { isRefusal } from './is-refusal.ts';

/** Awaits an attempt, and ignores its refusal; rethrows any other failure. */
export async function unlessRefused(attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
