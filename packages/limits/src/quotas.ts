import type { Config } from '@steward/config';
import { quotaExceeded } from '@steward/errors';
import { type Meters, noMeters } from '@steward/telemetry';

/** What a quota limits. */
export type QuotaKind = keyof Config['quotas'];

/** The value of a quota that does not limit, in the configuration, the API and the documents. */
export const UNLIMITED = -1;

/** What a quota depends on: an account, or the requester who acts as it. */
export interface QuotaHolder {
  readonly admin: boolean;
  /** The account's own quotas; absent kinds have the server's. */
  readonly quotas?: Readonly<Record<string, number>> | null;
}

/**
 * How much users may store. The server's quotas do not apply to administrators, who could change their own; a quota that
 * an account was given applies to everyone.
 */
export interface Quotas {
  /** The kinds, in the order of the configuration. */
  readonly kinds: readonly QuotaKind[];
  /** The quota of a user; infinite without one. */
  of(holder: QuotaHolder, kind: QuotaKind): number;
  /**
   * Checks that a user may have this much altogether. Callers check only requests that make it more, so that a user
   * beyond a quota keeps what exists, and can delete it.
   *
   * @throws quotaExceeded
   */
  require(holder: QuotaHolder, kind: QuotaKind, amount: number): void;
}

/** The quotas of the configuration. */
export function createQuotas(
  {
    quotas,
    monthly_active_users: { admin_contact: adminContact },
  }: Pick<Config, 'quotas' | 'monthly_active_users'>,
  meters: Pick<Meters, 'counter'> = noMeters,
): Quotas {
  const kinds = Object.keys(quotas) as QuotaKind[];
  const refusals = meters.counter('steward_limits_quota_refusals_total');
  // The series begin at 0, so that a rate includes their first increase.
  for (const quota of kinds) refusals.add({ quota }, 0);
  const of = ({ admin, quotas: own }: QuotaHolder, kind: QuotaKind) => {
    const quota = own?.[kind] ?? (admin ? UNLIMITED : quotas[kind]);
    return quota === UNLIMITED ? Number.POSITIVE_INFINITY : quota;
  };
  return {
    kinds,
    of,
    require(holder, kind, amount) {
      const quota = of(holder, kind);
      if (amount <= quota) return;
      refusals.add({ quota: kind });
      throw quotaExceeded(kind, quota, adminContact);
    },
  };
}
