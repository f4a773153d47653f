import { refuse } from '@steward/errors';

/** Why something may not be done: an entry of the catalogue of refusals, and the text for people. */
export interface Denial {
  readonly refusal: keyof typeof refuse;
  readonly message: string;
}

/** A denial of the usual kind: 403 `M_FORBIDDEN`. */
export function forbidden(message: string): Denial {
  return { refusal: 'forbidden', message };
}

/** Throws the refusal that a denial names, and does nothing without one. */
export function refuseDenied(denial: Denial | undefined): void {
  if (denial !== undefined) throw refuse[denial.refusal](denial.message);
}
