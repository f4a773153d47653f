import { scopeName } from '@steward/rpc';
import type { ActionDetails, ActionKey } from './action.ts';
import { ACTION_KINDS, type ActionName, kindOf, scopesOfAction } from './kinds.ts';

/** What programs have to know of a kind of action to offer it. */
export interface DescribedKind {
  readonly name: string;
  /** The scopes that it requires, whatever its keys are. */
  readonly scopes: readonly string[];
  /** The keys that it must have, stated or from the case. */
  readonly needs: readonly string[];
  /** Other keys that it can have. */
  readonly may: readonly string[];
  /** The scopes that it requires beyond those when it has a key: none for a key that is not here. */
  readonly keyScopes: Readonly<Record<string, readonly string[]>>;
  /** Whether administrators cannot order it for their own account. */
  readonly notForOneself: boolean;
}

/** No user is the sender of notices, who requires a scope that no key alone does. */
const NO_NOTICES = { notices: { sender: '' } };

/** Describes all kinds of actions that a resolution can order, in the sequence in which programs offer them. */
export function describeActionKinds(): readonly DescribedKind[] {
  return (Object.keys(ACTION_KINDS) as ActionName[]).map((name) => {
    const { needs, may = [], notForOneself = false } = kindOf({ kind: name });
    const scopesWith = (keys: readonly ActionKey[]) =>
      [...scopesOfAction(NO_NOTICES, { kind: name, details: detailsWith(keys) })].map(scopeName);
    const scopes = scopesWith(needs);
    const keyScopes = may.flatMap((key) => {
      const further = scopesWith([...needs, key]).filter((scope) => !scopes.includes(scope));
      return further.length === 0 ? [] : [[key, further] as const];
    });
    return { name, scopes, needs, may, keyScopes: Object.fromEntries(keyScopes), notForOneself };
  });
}

/** Details that state some keys: flags are set, and texts are not empty. */
function detailsWith(keys: readonly ActionKey[]): ActionDetails {
  const every: Required<Pick<ActionDetails, ActionKey>> = {
    ...{ user_id: '@user:test', room_id: '!room:test', event_id: '$event', rooms: 'all', reason: 'reason' },
    ...{ erase: true, block: true, purge: true, force_purge: true },
    ...{ new_room_user_id: '@user:test', room_name: 'name', message: 'message', text: 'text' },
  };
  return Object.fromEntries(keys.map((key) => [key, every[key]]));
}
