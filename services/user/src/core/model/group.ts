import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';
import { foldText } from './fold-text.ts';

/** The maximum of groups. */
export const MAX_GROUPS = 2_000;

/** The maximum of groups of an account. */
export const MAX_GROUPS_OF_ACCOUNT = 100;

/** A set of accounts, and what follows from being in it. Which accounts are in it, their documents say, see `GroupMembership`. */
export interface Group extends Aggregate {
  /** 28 hexadecimal digits, of which the first 12 are the time of its creation, see `newTimedId`. */
  _id: string;
  version: number;
  name: string;
  /** The name as `groupNameKey` has it; absent once the group is deleted, so that another one can have it. */
  name_key?: string;
  description: string;
  /** The id at the directory that keeps it; absent or null for none. */
  external_id?: string | null;
  /** The roles of its members, sorted, see `roleReference`; `admin` for server administrators. */
  roles: readonly string[];
  /** Whether what it says is kept in force. */
  enforced: boolean;
  /** What happens to a role that was taken by hand from a member. */
  hand_edits: 'restore' | 'keep';
  /** Milliseconds since the Unix epoch. */
  created_ts: number;
  /** Whether it was deleted, and a task takes from its members what they have by it. */
  deleted: boolean;
  readonly pending?: readonly GroupEffect[];
}

/** A task brings the members to what the group says. */
export interface GroupEffect extends PendingEffect {
  readonly kind: 'apply';
  /** Who changed the group, as tasks name them. */
  readonly requester: string;
}

/** That an account is in a group. */
export interface GroupMembership {
  /** The id of the group. */
  readonly id: string;
  /** Who says so, sorted: `hand`, `scim`, or `oidc:` and the id of an identity provider. */
  readonly by: readonly string[];
  /** The roles that the group has given it, also those that were taken by hand since then; absent for none. */
  readonly gave?: readonly string[];
}

/** The form in which names of groups are compared and searched. */
export function groupNameKey(name: string): string {
  return foldText(name);
}

/** The groups, by their ids: few enough for one shard. */
export const groups = declareAggregate<Group>({
  name: 'user.groups',
  shardKey: null,
  arrays: ['roles'],
  search: ['name_key'],
  indexes: [
    { name: 'by_name', keys: [['name_key', 1]], unique: true, sparse: true },
    {
      name: 'listed',
      keys: [
        ['deleted', 1],
        ['_id', 1],
      ],
    },
    { name: 'by_external_id', keys: [['external_id', 1]], sparse: true },
    { name: 'by_role', keys: [['roles', 1]] },
  ],
});
