import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { type Batch, BatchSchema } from '@steward/proto/steward/rpc/v1/link_pb.ts';
import { MESSAGE_LIMIT_BYTES } from '../limits.ts';

/** The bytes of the length that precedes each batch. */
const LENGTH_BYTES = 4;

/**
 * The size at which a sender ends a batch, in bytes: large enough that the cost of a write is shared, small enough that
 * the other end starts to work.
 */
const FULL_BYTES = 256 * 1024;

/** The size limit of a batch: one that is almost full, and a message of the largest size with its headers. */
const BATCH_LIMIT_BYTES = MESSAGE_LIMIT_BYTES + 2 * FULL_BYTES;

/** The approximate size of what a call or an answer has besides its headers and its message, in bytes. */
const PART_BYTES = 64;

/** The approximate size of a call or an answer, in bytes. Headers count too: clients determine the size of some. */
export function sizeOf(header: { readonly [name: string]: string }, message: Uint8Array | undefined): number {
  let bytes = PART_BYTES + (message?.length ?? 0);
  for (const name in header) bytes += name.length + (header[name] as string).length;
  return bytes;
}

/** A part of a batch, with its approximate size. */
interface Part {
  readonly key: 'calls' | 'answers' | 'cancelled' | 'refused';
  readonly value: unknown;
  readonly bytes: number;
}

/** What a writer writes to. */
interface Target {
  write(chunk: Uint8Array): unknown;
}

/**
 * Collects what is sent in one turn of the event loop, because a batch costs hardly more than a call, and writes it at the
 * end of the turn.
 */
export class BatchWriter {
  readonly #target: Target;
  #parts: Part[] = [];
  #isScheduled = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Sends a part with the next batch. `bytes` is its approximate size. */
  add<K extends Part['key']>(
    key: K,
    value: NonNullable<MessageInitShape<typeof BatchSchema>[K]>[number],
    bytes: number,
  ): void {
    this.#parts.push({ key, value, bytes });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.flush());
  }

  /** Sends what waits. */
  flush(): void {
    this.#isScheduled = false;
    const parts = this.#parts;
    this.#parts = [];
    for (let from = 0; from < parts.length; ) {
      const batch: Record<Part['key'], unknown[]> = { calls: [], answers: [], cancelled: [], refused: [] };
      for (let bytes = 0; from < parts.length && bytes < FULL_BYTES; from++) {
        const { key, value, bytes: size } = parts[from] as Part;
        batch[key].push(value);
        bytes += size;
      }
      this.#write(batch as MessageInitShape<typeof BatchSchema>);
    }
  }

  /** Sends what waits, and then that no more calls are accepted. */
  announceClosing(): void {
    this.flush();
    this.#write({ closing: true });
  }

  #write(batch: MessageInitShape<typeof BatchSchema>): void {
    const body = toBinary(BatchSchema, create(BatchSchema, batch));
    const framed = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
    framed.writeUInt32BE(body.length, 0);
    framed.set(body, LENGTH_BYTES);
    this.#target.write(framed);
  }
}

/** Reads batches from the chunks of a stream. */
export class BatchReader {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** How many bytes the next batch and its length have; that of the length alone until it is known. */
  #needed = LENGTH_BYTES;
  #length: number | undefined;

  /**
   * Returns the batches that a chunk completes.
   *
   * @throws RangeError for a batch that is too large
   */
  read(chunk: Uint8Array): Batch[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const batches: Batch[] = [];
    while (this.#bytes >= this.#needed) {
      const [first] = this.#chunks;
      const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#bytes);
      if (this.#length === undefined) {
        this.#length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
        if (this.#length > BATCH_LIMIT_BYTES)
          throw new RangeError(`A batch of ${this.#length} bytes is too large`);
        this.#needed = LENGTH_BYTES + this.#length;
        this.#chunks = [bytes];
        continue;
      }
      batches.push(fromBinary(BatchSchema, bytes.subarray(LENGTH_BYTES, this.#needed)));
      this.#chunks = [bytes.subarray(this.#needed)];
      this.#bytes -= this.#needed;
      this.#needed = LENGTH_BYTES;
      this.#length = undefined;
    }
    return batches;
  }
}
