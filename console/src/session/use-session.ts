import { useSyncExternalStore } from 'react';
import { type Me, type SessionState, session } from './session.ts';

/** The administrator session of this browser. */
export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.get);
}

/** Who uses the console. Only below the sign-in. */
export function useMe(): Me {
  const state = useSession();
  if (state.kind !== 'signed-in') throw new Error('There is no session here');
  return state.me;
}
