import { z } from 'zod';

/** As the user service has it. */
const ROLE_NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** The name of a role. */
export const roleName = z.string().regex(ROLE_NAME, 'must be the name of a role');
