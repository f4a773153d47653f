import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { Group, GroupEffect } from '../model/group.ts';
import { GROUP_APPLY } from './group-apply.ts';

/** The aggregate of groups. A change orders the task that brings the members to what the group says. */
export const groupAggregate = defineAggregate<Group, GroupEffect, Deps>({
  collection: (deps) => deps.groups,
  effects: {
    async apply({ tasks }, { _id: key }, effects) {
      const last = effects.at(-1);
      // The members are brought to what the group says when the task runs, so one task serves all changes.
      if (last)
        await tasks.createOnce({
          id: `${GROUP_APPLY}.${last.id}`,
          kind: GROUP_APPLY,
          key,
          params: {},
          requestedBy: last.requester,
        });
    },
  },
});
