import { z } from 'zod';
import { settings } from '../setting.ts';

/** New rooms. */
export const rooms = z.strictObject({
  default_version: z
    .enum(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    .default('10')
    .register(settings, { governs: 'The version of rooms created without an explicit version' }),
});
