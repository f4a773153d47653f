import { useSyncExternalStore } from 'react';
import { session } from '../session/session.ts';

/** The pages on which all media are shown, until the user signs out or closes the browser's tab. */
const pages = new Set<string>();
const listeners = new Set<() => void>();

session.subscribe(() => {
  if (session.get().kind === 'signed-out') pages.clear();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether all media of a page are shown without being asked for one by one, and the change of it. Off at first. */
export function useRevealAll(page: string): readonly [boolean, (revealed: boolean) => void] {
  const revealed = useSyncExternalStore(subscribe, () => pages.has(page));
  const change = (next: boolean) => {
    if (next) pages.add(page);
    else pages.delete(page);
    for (const listener of listeners) listener();
  };
  return [revealed, change];
}
