import { z } from 'zod';
import { settings } from '../setting.ts';

/** Rooms. */
export const rooms = z.strictObject({
  default_version: z
    .enum(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    .default('10')
    .register(settings, { governs: 'The version of rooms created without an explicit version' }),
  show_orders: z.boolean().default(false).register(settings, {
    governs:
      "Whether members of a room see in an event's `unsigned`, as `steward.ordered_by`, which administrator ordered it; administrators always do",
  }),
});
