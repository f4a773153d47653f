import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** How often names are looked up, in milliseconds. */
const INTERVAL_MS = 5_000;

/** The shortest pause between two look-ups of a name, in milliseconds. */
const PAUSE_MS = 500;

/** Where an instance listens. */
export interface Address {
  /** The origin of the URL of its service, for example `http://user:8008`. */
  readonly url: string;
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

/** Returns the IP addresses of a host name. */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** Looks a name up as other programs of the machine do, `/etc/hosts` included; both IPv4 and IPv6. */
export const lookUpHost: LookUp = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** The addresses of the instances of a service. */
export interface Addresses {
  /** Looks all names up again, soon. */
  refresh(): void;
  close(): void;
}

/**
 * Follows the addresses of the instances that URLs name. A host name is looked up repeatedly and stands for all of its
 * addresses; after a look-up that fails, or finds nothing, it stands for the ones that were found before.
 *
 * @param onAddresses receives all addresses, each once, at first and after each look-up
 */
export function followAddresses(options: {
  readonly urls: readonly string[];
  readonly lookUp: LookUp;
  readonly onAddresses: (addresses: readonly Address[]) => void;
}): Addresses {
  const { urls, lookUp, onAddresses } = options;
  const found = new Map<string, readonly Address[]>();
  const report = () => {
    const byPlace = new Map<string, Address>();
    for (const addresses of found.values())
      for (const address of addresses) byPlace.set(placeOf(address), address);
    onAddresses([...byPlace.values()]);
  };
  const names: Addresses[] = [];
  for (const each of new Set(urls)) {
    const { origin, hostname, port: given, protocol } = new URL(each);
    const name = hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(given) || (protocol === 'https:' ? 443 : 80);
    const take = (hosts: readonly string[]) =>
      found.set(
        each,
        hosts.map((host) => ({ url: origin, host, port })),
      );
    take([]);
    if (isIP(name)) take([name]);
    else {
      const look = async () => {
        const hosts = await lookUp(name).catch(() => []);
        if (hosts.length === 0) return found.get(each)?.length !== 0;
        take(hosts);
        report();
        return true;
      };
      names.push(repeatLookUp(look));
    }
  }
  report();
  return {
    refresh() {
      for (const name of names) name.refresh();
    },
    close() {
      for (const name of names) name.close();
    },
  };
}

/** What distinguishes an address from all others. */
export function placeOf({ host, port }: Address): string {
  return `${host} ${port}`;
}

/** @param look returns whether the name has addresses; one without is looked up again soon */
function repeatLookUp(look: () => Promise<boolean>): Addresses {
  let timer: NodeJS.Timeout | undefined;
  let began = Number.NEGATIVE_INFINITY;
  let isLooking = false;
  let isClosed = false;
  const schedule = (ms: number) => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(run, ms).unref();
  };
  const run = async () => {
    began = performance.now();
    isLooking = true;
    const isKnown = await look();
    isLooking = false;
    schedule(isKnown ? INTERVAL_MS : PAUSE_MS);
  };
  void run();
  return {
    refresh() {
      if (!isLooking) schedule(Math.max(0, began + PAUSE_MS - performance.now()));
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
