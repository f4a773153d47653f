import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GroupSchema } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Group } from '../../core/model/group.ts';
import { roleNameOf } from '../../core/model/role.ts';

/** A group as administrators see it. */
export function toGroup(group: Group, members?: number): MessageInitShape<typeof GroupSchema> {
  const { _id: id, name, description, external_id: externalId, roles, enforced } = group;
  return {
    id,
    name,
    description,
    ...(externalId === undefined || externalId === null ? {} : { externalId }),
    roles: roles.map(roleNameOf),
    enforced,
    handEdits: group.hand_edits,
    createdTs: BigInt(group.created_ts),
    ...(members === undefined ? {} : { members: BigInt(members) }),
  };
}
