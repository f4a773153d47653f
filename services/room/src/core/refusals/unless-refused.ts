import { isRefusal } from './is-refusal.ts';

/** Waits for an attempt that may be refused without harm; rethrows any other failure. */
export async function unlessRefused(attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
