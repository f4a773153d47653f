import type { QuotaHolder, QuotaKind } from '@steward/limits';
import type { Deps } from '../deps.ts';

/** The addition of a document to those of an account, of which there may be a limited number. */
export interface Addition {
  readonly kind: QuotaKind;
  /** Whether the document exists, so that the request adds nothing. */
  exists(): Promise<boolean>;
  /** The number of documents of this kind that the account has. */
  count(): Promise<number>;
  /** Writes the document; returns whether it was added, rather than replaced. */
  add(): Promise<boolean>;
  /** Removes what `add` has written. */
  takeBack(): Promise<unknown>;
}

/**
 * Adds a document unless the account has as many as it may. The documents are counted once more after the addition,
 * which is taken back if concurrent requests have added others: together they never leave more than the quota. Only a
 * process that crashes in between does, by one document.
 *
 * @throws quotaExceeded
 */
export async function addWithinQuota(
  { quotas }: Pick<Deps, 'quotas'>,
  holder: QuotaHolder,
  { kind, exists, count, add, takeBack }: Addition,
): Promise<void> {
  if (!Number.isFinite(quotas.of(holder, kind)) || (await exists())) {
    await add();
    return;
  }
  quotas.require(holder, kind, (await count()) + 1);
  const isNew = await add();
  if (!isNew) return;
  try {
    quotas.require(holder, kind, await count());
  } catch (error) {
    await takeBack();
    throw error;
  }
}
