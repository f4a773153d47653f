import type { StepUpFlow, StewardError } from '@steward/sdk';

/** A question to the user to prove again who they are. */
export interface Proof {
  /** What proves it: the stages of one alternative. */
  readonly flows: readonly StepUpFlow[];
  /** Goes on with the calls that wait. */
  readonly given: () => void;
  /** Ends the calls that wait with their refusal. */
  readonly refused: () => void;
}

const listeners = new Set<() => void>();
let current: Proof | undefined;
let asked: Promise<void> | undefined;

function set(next: Proof | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

/** The question that is open: at most one, whatever number of calls waits for its answer. */
export const proofs = {
  get: (): Proof | undefined => current,

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  /**
   * Waits until the user has proved who they are.
   *
   * @throws the refusal, if they do not
   */
  ask(refusal: Pick<StewardError, 'flows'>): Promise<void> {
    asked ??= new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        set(undefined);
        asked = undefined;
        settle();
      };
      set({ flows: refusal.flows, given: end(resolve), refused: end(() => reject(refusal)) });
    });
    return asked;
  },
};
