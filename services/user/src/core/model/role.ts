import { type Aggregate, declareAggregate } from '@steward/service';

/** The maximum of roles besides the built-in ones: all are listed at once. */
export const MAX_ROLES = 200;

/** The maximum of roles of an account, besides `admin`: all are part of its facet. */
export const MAX_ROLES_OF_ACCOUNT = 10;

/** The names that roles may have. */
export const ROLE_NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** A role that administrators created. The document is the aggregate. */
export interface Role extends Aggregate {
  /** The name. */
  _id: string;
  version: number;
  description: string;
  /** The names of its scopes, see `scopeName`. */
  scopes: readonly string[];
  /** Random: accounts refer to this role, and not to a later one of the same name, see `roleReference`. */
  instance: string;
}

/** Separates the name of a role from its instance; no name contains it. */
const SEPARATOR = ':';

/** How accounts refer to a role: by its name and, unless it is a built-in one, its instance. */
export function roleReference({ _id: name, instance }: Pick<Role, '_id' | 'instance'>): string {
  return `${name}${SEPARATOR}${instance}`;
}

/** The name of the role to which an account refers. */
export function roleNameOf(reference: string): string {
  const [name = ''] = reference.split(SEPARATOR, 1);
  return name;
}

/** The roles that administrators created, by their names: few enough for one shard. */
export const roles = declareAggregate<Role>({
  name: 'user.roles',
  shardKey: null,
  indexes: [],
});
