import { type ChainedEntry, chainHash } from './chain-hash.ts';
import type { Checkpoint } from './checkpoint.ts';
import { isSignedBy, type PublicKeys } from './signing-keys.ts';

/** What is wrong with the first broken entry or checkpoint. */
export type FaultKind =
  | 'entry_changed'
  | 'entry_missing'
  | 'entry_duplicated'
  | 'entry_appended'
  | 'index_changed'
  | 'head_missing'
  | 'head_changed'
  | 'checkpoint_changed'
  | 'checkpoint_missing'
  | 'signature_invalid'
  | 'signature_missing'
  | 'key_unknown';

/** The first broken entry or checkpoint of a chain. */
export interface Fault {
  readonly kind: FaultKind;
  /** The number of the entry or checkpoint. */
  readonly number: number;
  /** The id of the entry, where one is known. */
  readonly id?: string;
  /** One sentence. */
  readonly message: string;
}

/** An entry of a chain, with its place. */
export interface Link {
  readonly number: number;
  readonly hash: string;
  readonly entry: ChainedEntry;
}

/** Where a verification starts: behind an entry whose hash is known. */
export interface ChainStart {
  /** The number of that entry; 0 for the start of the chain. */
  readonly number: number;
  readonly hash: string;
  /** The number of the last checkpoint up to there; undefined where that is not known. */
  readonly checkpoint?: number;
  /** Whether that checkpoint has a signature, so that the next one must have one; false where that is not known. */
  readonly isSigned?: boolean;
  /** The number from which on all checkpoints have signatures; unset where that is not known. */
  readonly signedSince?: number | undefined;
}

/** The end of a chain, as the store or an export states it. */
export interface ChainEnd {
  readonly number: number;
  readonly hash: string;
  /** The number of the last checkpoint; 0 for none. */
  readonly checkpoint: number;
}

/**
 * Verifies a chain piece by piece, in constant memory. Its methods are called in the order of the chain, a checkpoint
 * after the entry that it is at, and return the fault that they find; nothing is verified behind the first fault.
 */
export class ChainVerifier {
  readonly #serverName: string;
  readonly #keys: PublicKeys;
  #number: number;
  #hash: string;
  #checkpoint: number | undefined;
  #signedBefore: boolean;
  readonly #signedSince: number;
  #entries = 0;
  #checkpoints = 0;
  #signed = 0;

  constructor(
    serverName: string,
    keys: PublicKeys,
    { number, hash, checkpoint, isSigned = false, signedSince = Number.POSITIVE_INFINITY }: ChainStart,
  ) {
    this.#serverName = serverName;
    this.#keys = keys;
    this.#number = number;
    this.#hash = hash;
    this.#checkpoint = checkpoint;
    this.#signedBefore = isSigned;
    this.#signedSince = signedSince;
  }

  /** How many entries were verified. */
  get entries(): number {
    return this.#entries;
  }

  /** How many checkpoints were verified. */
  get checkpoints(): number {
    return this.#checkpoints;
  }

  /** How many of them have a valid signature. */
  get signed(): number {
    return this.#signed;
  }

  /** The last entry that was verified, or the start. */
  get last(): { readonly number: number; readonly hash: string } {
    return { number: this.#number, hash: this.#hash };
  }

  /** Verifies the next entry. */
  entry({ number, hash, entry }: Link): Fault | undefined {
    const expected = this.#number + 1;
    const { id } = entry;
    if (number > expected) return missing(expected, number - 1);
    if (number !== expected)
      return {
        kind: 'entry_duplicated',
        number,
        id,
        message: `Another entry has the number ${number} as well.`,
      };
    if (hashOf(expected, this.#hash, entry) !== hash) {
      return {
        kind: 'entry_changed',
        number,
        id,
        message: `Entry ${number} or the hash of the entry before it is not what was recorded.`,
      };
    }
    this.#number = number;
    this.#hash = hash;
    this.#entries++;
    return undefined;
  }

  /** Verifies a checkpoint at the last entry. */
  checkpoint(checkpoint: Checkpoint): Fault | undefined {
    const { number, hash, previous } = checkpoint;
    if (number !== this.#number || hash !== this.#hash)
      return fault('checkpoint_changed', number, 'does not have the hash of the entry with its number');
    if (this.#checkpoint !== undefined && previous !== this.#checkpoint) {
      return previous > this.#checkpoint
        ? fault('checkpoint_missing', previous, 'is missing; the next one refers to it')
        : fault('checkpoint_changed', number, 'does not refer to the one before it');
    }
    const unsigned = this.#verifySignature(checkpoint);
    if (unsigned) return unsigned;
    this.#checkpoint = number;
    this.#checkpoints++;
    return undefined;
  }

  /** Verifies that the chain ends here. */
  end({ number, hash, checkpoint }: ChainEnd): Fault | undefined {
    if (this.#number < number) return missing(this.#number + 1, number);
    if (this.#number !== number || this.#hash !== hash) {
      return {
        kind: 'head_changed',
        number,
        message: 'The recorded end of the chain is not its last entry.',
      };
    }
    const last = this.#checkpoint ?? 0;
    if (last < checkpoint) return fault('checkpoint_missing', checkpoint, 'is missing at the end');
    if (last > checkpoint) return fault('checkpoint_changed', last, 'is not known at the end of the chain');
    return undefined;
  }

  #verifySignature(checkpoint: Checkpoint): Fault | undefined {
    const { number, key_id: keyId, signature } = checkpoint;
    if (keyId === null || signature === null) {
      // Otherwise the signatures could be removed.
      if (this.#signedBefore)
        return fault('signature_missing', number, 'has no signature, although earlier ones have');
      if (number >= this.#signedSince || keyId !== signature)
        return fault('signature_missing', number, 'has no signature, although one was made with a key');
      return undefined;
    }
    const key = this.#keys.get(keyId);
    if (!key) return fault('key_unknown', number, `is signed with the key ${keyId}, which is not known here`);
    if (!isSignedBy(key, this.#serverName, checkpoint, signature))
      return fault('signature_invalid', number, 'was changed: its signature is not valid');
    this.#signedBefore = true;
    this.#signed++;
    return undefined;
  }
}

function missing(first: number, last: number): Fault {
  const which = first === last ? `Entry ${first} is` : `The entries ${first} to ${last} are`;
  return { kind: 'entry_missing', number: first, message: `${which} missing.` };
}

function fault(kind: FaultKind, number: number, what: string): Fault {
  return { kind, number, message: `The checkpoint at ${number} ${what}.` };
}

/** The hash of an entry; undefined for one that has none, because this server cannot have written it. */
function hashOf(number: number, previous: string, entry: ChainedEntry): string | undefined {
  try {
    return chainHash(number, previous, entry);
  } catch {
    return undefined;
  }
}
