/** Rate limits of one instance, kept in its memory; and quotas, which limit what is stored. */

export { FairSlots, type FairSlotsOptions } from './fair-slots.ts';
export { createLimits, type Limit, type Limited, type Limits, type UserLimit } from './limits.ts';
export { once } from './once.ts';
export { createQuotas, type QuotaHolder, type QuotaKind, type Quotas, UNLIMITED } from './quotas.ts';
