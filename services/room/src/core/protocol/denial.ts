import { refuse } from '@steward/errors';

/** The reason for which an action is denied: an entry of the catalogue of refusals, and its message. */
export interface Denial {
  readonly refusal: keyof typeof refuse;
  readonly message: string;
}

/** A denial with 403 `M_FORBIDDEN`. */
export function forbidden(message: string): Denial {
  return { refusal: 'forbidden', message };
}

/** Throws the refusal of a denial; does nothing without one. */
export function refuseDenied(denial: Denial | undefined): void {
  if (denial !== undefined) throw refuse[denial.refusal](denial.message);
}
