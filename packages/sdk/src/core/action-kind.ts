import type { NewReportOrder } from '../gen/schemas.ts';

/** A key of what the resolution of a report orders, in addition to its kind. */
type ActionKey = Exclude<keyof NewReportOrder, 'kind'>;

/** What programs have to know of a kind of action to offer it. */
export interface ActionKind {
  /** The scopes that it requires, whatever its keys are. */
  readonly scopes: readonly string[];
  /** The keys that it must have, stated or from the case. */
  readonly needs: readonly ActionKey[];
  /** Other keys that it can have. */
  readonly may?: readonly ActionKey[];
  /** The scopes that it requires beyond those when it has a key. */
  readonly keyScopes?: Partial<Record<ActionKey, readonly string[]>>;
  /** Whether administrators cannot order it for their own account. */
  readonly notForOneself?: true;
}
