import type { Group, GroupMember } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { GROUP_SCHEMA } from './group-schema.ts';
import { SCIM_PATH } from './scim-path.ts';
import { locationOf } from './user-resource.ts';
import { versionOf } from './version-of.ts';

/** A group as the administration API shows it. */
export type ShownGroup = Pick<Group, 'id' | 'name' | 'externalId' | 'createdTs'>;

/** A member as the administration API shows it. */
export type ShownMember = Pick<GroupMember, 'userId' | 'by'>;

/** A group in the terms of SCIM. */
export interface GroupResource {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly externalId?: string;
  readonly displayName: string;
  readonly members?: readonly object[];
  readonly meta: {
    readonly resourceType: 'Group';
    readonly created: string;
    readonly location: string;
    readonly version?: string;
  };
}

/**
 * Shows a group.
 *
 * @param members undefined where they are not shown; then there is no version, which depends on them
 */
export function toGroupResource(
  base: string,
  { id, name, externalId, createdTs }: ShownGroup,
  members: readonly ShownMember[] | undefined,
): GroupResource {
  const content = {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId === undefined ? {} : { externalId }),
    displayName: name,
    ...(members && members.length > 0 ? { members: members.map((member) => toMember(base, member)) } : {}),
  };
  return {
    ...content,
    meta: {
      resourceType: 'Group',
      created: new Date(Number(createdTs)).toISOString(),
      location: `${base}${SCIM_PATH}/Groups/${id}`,
      ...(members ? { version: versionOf(content) } : {}),
    },
  };
}

function toMember(base: string, { userId }: ShownMember): object {
  return {
    value: userId,
    $ref: locationOf(base, userId),
    type: 'User',
  };
}
