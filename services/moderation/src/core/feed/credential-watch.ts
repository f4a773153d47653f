import { toRefusal } from '@steward/errors';
import type { Client, Requester } from '@steward/rpc';
import pLimit from 'p-limit';

/** How often the credentials of calls in progress are looked up, in milliseconds: what ends one ends its calls within a second. */
const INTERVAL_MS = 500;

/** How many look-ups run at once. */
const MAX_LOOK_UPS = 32;

/** After how many look-ups in a row that failed a call ends, because nothing says that its credential is still valid. */
const MAX_FAILURES = 10;

const SERVER_FAULT_STATUS = 500;

/** What a caller may do. */
export type CheckedRights = Pick<Requester, 'userId' | 'admin' | 'scopes' | 'lacksSecondFactor'>;

/** The credential with which a call began. */
export interface WatchedCredential {
  readonly token: string;
  /** The client, whose address the credential may be bound to. */
  readonly client: Client | undefined;
  /** What the caller could do when the call began. */
  readonly rights: CheckedRights;
}

/** Watches the credentials of calls that last. */
export interface CredentialWatch {
  /**
   * Returns a signal that is raised within a second after the credential has ended, or carries other rights. Calls with the same
   * credential share a look-up.
   *
   * @param until ends the watch
   */
  watch(credential: WatchedCredential, until: AbortSignal): AbortSignal;
  /** Ends all watches. */
  close(): void;
}

interface Watched extends WatchedCredential {
  readonly ended: AbortController;
  /** The calls with the credential. */
  calls: number;
  failures: number;
  isChecking: boolean;
}

/**
 * Creates the watch of a process.
 *
 * @param lookUp looks a credential up without recording that it is used; throws the refusal of one that has ended
 */
export function createCredentialWatch(
  lookUp: (token: string, client: Client | undefined) => Promise<CheckedRights>,
): CredentialWatch {
  const watched = new Map<string, Watched>();
  const limit = pLimit(MAX_LOOK_UPS);
  let timer: NodeJS.Timeout | undefined;

  const remove = (key: string) => {
    watched.delete(key);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const check = async (key: string, entry: Watched) => {
    try {
      const rights = await lookUp(entry.token, entry.client);
      entry.failures = 0;
      if (fingerprint(rights) === fingerprint(entry.rights)) return;
    } catch (error) {
      // While no service can say it, no service ends credentials either.
      if (toRefusal(error).status >= SERVER_FAULT_STATUS && ++entry.failures < MAX_FAILURES) return;
    } finally {
      entry.isChecking = false;
    }
    if (watched.get(key) === entry) remove(key);
    entry.ended.abort();
  };
  const checkAll = () => {
    for (const [key, entry] of watched) {
      if (entry.isChecking) continue;
      entry.isChecking = true;
      void limit(check, key, entry);
    }
  };
  return {
    watch(credential, until) {
      const { token, client, rights } = credential;
      const key = JSON.stringify([token, client?.address, fingerprint(rights)]);
      const entry = watched.get(key) ?? {
        ...credential,
        ended: new AbortController(),
        calls: 0,
        failures: 0,
        isChecking: false,
      };
      watched.set(key, entry);
      entry.calls++;
      timer ??= setInterval(checkAll, INTERVAL_MS).unref();
      const leave = () => {
        if (--entry.calls === 0 && watched.get(key) === entry) remove(key);
      };
      if (until.aborted) leave();
      else until.addEventListener('abort', leave, { once: true });
      return entry.ended.signal;
    },
    close() {
      for (const key of watched.keys()) remove(key);
    },
  };
}

/** Equal for equal rights of the same caller. */
function fingerprint({ userId, admin, scopes = [], lacksSecondFactor = false }: CheckedRights): string {
  return JSON.stringify([userId, admin, scopes.toSorted(), lacksSecondFactor]);
}
