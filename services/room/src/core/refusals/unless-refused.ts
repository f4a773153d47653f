import { isRefusal } from './is-refusal.ts';

/** Waits for what may be refused without harm; any other failure is thrown. */
export async function unlessRefused(attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
