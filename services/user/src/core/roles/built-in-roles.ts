import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES } from '@steward/rpc';

/** A role that every server has. */
export interface BuiltInRole {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
}

/** The role of server administrators: accounts have it by their flag `admin`. */
export const ADMIN_ROLE = 'admin';

/** The roles that every server has. They cannot be changed or deleted. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  { name: ADMIN_ROLE, description: 'Server administrators: everything.', scopes: ALL_SCOPES },
  {
    name: 'moderator',
    description: 'Acts on reports: reads and changes rooms, media and accounts.',
    scopes: [
      Scope.USERS_READ,
      Scope.USERS_WRITE,
      Scope.ROOMS_READ,
      Scope.ROOMS_CONTENT,
      Scope.ROOMS_WRITE,
      Scope.ROOMS_DELETE,
      Scope.MEDIA_READ,
      Scope.MEDIA_WRITE,
      Scope.MEDIA_DELETE,
      Scope.REPORTS_READ,
      Scope.REPORTS_WRITE,
      Scope.NOTICES_SEND,
      Scope.TASKS_READ,
      Scope.EVENTS_READ,
    ],
  },
  {
    name: 'auditor',
    description: 'Reads everything except content and registration tokens, and changes nothing.',
    scopes: [
      Scope.USERS_READ,
      Scope.ROOMS_READ,
      Scope.MEDIA_READ,
      Scope.REPORTS_READ,
      Scope.TASKS_READ,
      Scope.AUDIT_READ,
      Scope.EVENTS_READ,
      Scope.ACCESS_READ,
      Scope.SERVER_READ,
      Scope.WEBHOOKS_READ,
    ],
  },
  {
    name: 'support',
    description: 'Helps users with their accounts, devices and passwords; reads no content.',
    scopes: [Scope.USERS_READ, Scope.USERS_WRITE, Scope.USERS_CREDENTIALS],
  },
];

const byName = new Map(BUILT_IN_ROLES.map((role) => [role.name, role]));

/** The built-in role of a name. */
export function builtInRole(name: string): BuiltInRole | undefined {
  return byName.get(name);
}
