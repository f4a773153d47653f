/** Rate limits, which the instances of a service share; and quotas, which limit what is stored. */

export { FairSlots, type FairSlotsOptions } from './fair-slots.ts';
export {
  type Limit,
  type Limited,
  type Limits,
  type LimitsOptions,
  type OpenLimits,
  openLimits,
  type UserLimit,
} from './limits.ts';
export { once } from './once.ts';
export { createQuotas, type QuotaHolder, type QuotaKind, type Quotas, UNLIMITED } from './quotas.ts';
