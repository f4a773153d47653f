import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from '../../api/use-read.ts';

/** Why a name cannot be that of a new account, or that it can. */
export type NameCheck =
  | 'empty'
  | 'characters'
  | 'underscore'
  | 'digits'
  | 'long'
  | 'checking'
  | 'taken'
  | 'refused'
  | 'free';

const GRAMMAR = /^[a-z0-9_\-./=+]*$/;
const ONLY_DIGITS = /^\d+$/;
const MAX_BYTES = 255;
/** How long typing pauses before the server is asked, in milliseconds. */
const TYPING_MS = 250;

/**
 * Checks a name for a new account. The list is asked first: a name that is taken is not an error there, and creating an account
 * with the id of another one would change that one.
 *
 * @param enabled whether the server is asked: not after the account is created, whose name is then taken
 */
export function useNameCheck(localpart: string, serverName: string, enabled: boolean): NameCheck {
  const [asked] = useDebouncedValue(localpart, TYPING_MS);
  const wrong = violationOf(asked, serverName);
  const userId = `@${asked}:${serverName}`;
  const list = useRead(
    'users.list',
    { user_id: userId, deactivated: true, locked: true, limit: 1 },
    { enabled: enabled && wrong === undefined },
  );
  const taken = (list.data?.total ?? 0) > 0;
  const check = useRead(
    'users.checkUsername',
    { username: asked },
    { enabled: enabled && wrong === undefined && list.isSuccess && !taken },
  );
  const present = violationOf(localpart, serverName);
  if (present !== undefined) return present;
  if (asked !== localpart || list.isPending) return 'checking';
  if (taken) return 'taken';
  if (list.isError || check.isError) return 'refused';
  return check.data?.available === true ? 'free' : 'checking';
}

function violationOf(localpart: string, serverName: string): NameCheck | undefined {
  if (localpart === '') return 'empty';
  if (!GRAMMAR.test(localpart)) return 'characters';
  if (localpart.startsWith('_')) return 'underscore';
  if (ONLY_DIGITS.test(localpart)) return 'digits';
  // All characters of the grammar, and of a server name, take one byte.
  return localpart.length + serverName.length + 2 > MAX_BYTES ? 'long' : undefined;
}
