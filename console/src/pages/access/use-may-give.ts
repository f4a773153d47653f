import { useMe } from '../../session/use-session.ts';

/** Returns whether the user has all of some scopes: others they neither give nor take. */
export function useMayGive(): (scopes: readonly string[]) => boolean {
  const { scopes: own } = useMe();
  return (scopes) => scopes.every((each) => own.includes(each));
}
