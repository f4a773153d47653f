import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { Role } from '../model/role.ts';

/** The aggregate of roles, whose changes have no effects elsewhere. */
export const roleAggregate = defineAggregate<Role, never, Deps>({
  collection: (deps) => deps.roles,
  effects: {},
});
