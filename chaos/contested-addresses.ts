/** A request that lists the addresses that an account is to hold; it gives up all others. */
interface Claim {
  readonly userId: string;
  readonly addresses: readonly string[];
  readonly began: number;
  /** `Infinity` while it is running, or may be. */
  ended: number;
  /** Whether it certainly happened. */
  answered: boolean;
}

/** A running claim. Until one of its methods is called, its outcome is unknown. */
export interface OpenClaim {
  /** It was answered, so it happened. */
  answered(): void;
  /** It did not happen. */
  refused(): void;
}

/**
 * Addresses that accounts take from each other. The account with the last claim holds an address; any of several
 * concurrent claims may be the last.
 */
export class ContestedAddresses {
  readonly addresses: readonly string[];
  readonly #claims = new Set<Claim>();
  #time = 0;

  constructor(addresses: readonly string[]) {
    this.addresses = addresses;
  }

  /** An account begins to claim some addresses and to give up the others. */
  begin(userId: string, addresses: readonly string[]): OpenClaim {
    const claim: Claim = {
      userId,
      addresses,
      began: this.#time++,
      ended: Number.POSITIVE_INFINITY,
      answered: false,
    };
    this.#claims.add(claim);
    return {
      answered: () => {
        claim.ended = this.#time++;
        claim.answered = true;
      },
      refused: () => void this.#claims.delete(claim),
    };
  }

  /** The accounts that ever claimed an address. */
  claimants(): ReadonlySet<string> {
    return new Set([...this.#claims].map(({ userId }) => userId));
  }

  /** Holders that contradict the claims, once no claim is running. */
  problems(holdersOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
    return this.addresses.flatMap((address) => {
      const holders = holdersOf.get(address) ?? [];
      if (holders.length > 1) return [`${address} is held by ${holders.join(' and ')}`];
      const [holder] = holders;
      if (holder === undefined ? this.#mayBeFree(address) : this.#mayHold(holder, address)) return [];
      return [`${address} is held by ${holder ?? 'no account'}, after ${this.#historyOf(address)}`];
    });
  }

  #mayHold(userId: string, address: string): boolean {
    const claims = [...this.#claims];
    return claims.some(
      (claim) =>
        claim.userId === userId &&
        claim.addresses.includes(address) &&
        !claims.some((later) => surelyAfter(claim, later) && takesAway(later, claim, address)),
    );
  }

  /** The account with the last claim may have given the address up since. */
  #mayBeFree(address: string): boolean {
    const all = [...this.#claims];
    const claims = all.filter(({ addresses }) => addresses.includes(address));
    if (claims.every(({ answered }) => !answered)) return true;
    const last = claims.filter((claim) => !claims.some((later) => surelyAfter(claim, later)));
    return last.some((claim) =>
      all.some(
        (other) =>
          other.userId === claim.userId && !other.addresses.includes(address) && other.ended > claim.began,
      ),
    );
  }

  #historyOf(address: string): string {
    return [...this.#claims]
      .filter(({ addresses }) => addresses.includes(address))
      .slice(-5)
      .map(({ userId, began, ended, answered }) => `${userId} ${began}-${ended}${answered ? '' : '?'}`)
      .join(', ');
  }
}

function surelyAfter(claim: Claim, later: Claim): boolean {
  return later.answered && later.began > claim.ended;
}

function takesAway(later: Claim, claim: Claim, address: string): boolean {
  const claims = later.addresses.includes(address);
  return later.userId === claim.userId ? !claims : claims;
}
