/** Rate limits of one instance, kept in its memory. */

export { FairSlots, type FairSlotsOptions } from './fair-slots.ts';
export { LeakyBuckets, type Rate } from './leaky-buckets.ts';
export { createLimits, type Limit, type Limited, type Limits, type UserLimit } from './limits.ts';
export { once } from './once.ts';
