import type { Store } from '../port/store.ts';
import { type CrashPoint, crashableStore } from './crashable-store.ts';

/** The name of `CrashableStore` before the glossary, for tests that have not been renamed. */
export interface MortalStore {
  readonly store: Store;
  dieAt(call: number, how: Death): void;
  spare(): void;
  readonly isDead: boolean;
}

/** The name of `CrashPoint` before the glossary, for tests that have not been renamed. */
export type Death = 'before' | 'amid' | 'after';

/** The name of `crashableStore` before the glossary, for tests that have not been renamed. */
export function mortalStore(inner: Store): MortalStore {
  const crashable = crashableStore(inner);
  const points = { before: 'before', amid: 'during', after: 'after' } satisfies Record<Death, CrashPoint>;
  return {
    store: crashable.store,
    dieAt: (call, how) => crashable.crashAt(call, points[how]),
    spare: () => crashable.cancelCrash(),
    get isDead() {
      return crashable.hasCrashed;
    },
  };
}
