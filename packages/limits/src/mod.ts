/** Rate limits of one instance, kept in its memory. */

export { createLimits, type Limit, type Limited, type Limits, type UserLimit } from './limits.ts';
export { once } from './once.ts';
