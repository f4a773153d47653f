import { useSyncExternalStore } from 'react';
import { live } from './live.ts';
import type { LiveState } from './messages.ts';

/** Whether events arrive in this page. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(live.subscribe, live.state);
}
