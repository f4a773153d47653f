import { fromBinary } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { Binding, ReadResult, RequestInput } from '@steward/http';
import { FairSlots } from '@steward/limits';
import type { DeferredRefusal } from '@steward/rpc';
import { Piscina } from 'piscina';
import { moved } from './moved.ts';

/** How many bodies are read or wait for it; with those of the largest size, they hold 128 MiB. */
const MAX_READING = 32;

/** How many the thread has, so that it never waits for one, and how many of one caller may wait. */
const SLOTS = 2;
const MAX_WAITING_OF_CALLER = 16;

/** How long the thread outlives its last body, in milliseconds. */
const IDLE_TIMEOUT_MS = 30_000;

/** The heap of the thread, in MiB: several times what the worst accepted body takes. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** A request that the thread reads. */
export interface Task {
  /** The name of the binding, see `nameOf`. */
  readonly binding: string;
  readonly input: RequestInput;
}

/** A request as the thread has read it. */
export interface Answer {
  /** The message in its binary form. */
  readonly message: Uint8Array;
  readonly deferred: DeferredRefusal | undefined;
}

/** Reads requests with large bodies as their bindings do, on a thread of its own. */
export interface LargeBodyReader {
  /**
   * Reads a request. The bytes of its body are moved to the thread. Callers whose bodies wait take turns.
   *
   * @param by the caller, who is charged
   * @throws limitExceeded when too many bodies of the caller wait
   * @throws refuse.unavailable when too many bodies wait
   * @throws refuse.tooLarge when reading the body takes too much memory
   */
  read(
    binding: Binding,
    input: RequestInput & { readonly body: Uint8Array },
    by: string,
  ): Promise<ReadResult>;
  close(): Promise<void>;
}

/** The name of a binding, which is the same in all threads. */
export function nameOf({ verb, path }: Binding): string {
  return `${verb} ${path}`;
}

/** Creates the reader. Its thread starts with the first body, and ends when it is idle. */
export function createLargeBodyReader(): LargeBodyReader {
  const pool = new Piscina<Task, Answer>({
    filename: new URL('./body-thread.ts', import.meta.url).href,
    name: 'readRequest',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: RESOURCE_LIMITS,
    recordTiming: false,
  });
  const turns = new FairSlots({ slots: SLOTS, maxWaitingPerKey: MAX_WAITING_OF_CALLER });
  let reading = 0;
  return {
    async read(binding, input, by) {
      if (reading >= MAX_READING)
        throw refuse.unavailable('Too many large requests are waiting; try again later');
      reading++;
      try {
        const { message, deferred } = await turns.run(by, () => {
          const body = alone(input.body);
          return pool.run(moved({ binding: nameOf(binding), input: { ...input, body } }, body.buffer));
        });
        const read = fromBinary(binding.method.input, message);
        return deferred ? { message: read, deferred } : { message: read };
      } catch (error) {
        const { code } = error as { readonly code?: string };
        throw code === OUT_OF_MEMORY ? refuse.tooLarge('The body is too large') : error;
      } finally {
        reading--;
      }
    },
    close: () => pool.destroy(),
  };
}

/** The bytes in a buffer that holds nothing else. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const owns = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return owns ? new Uint8Array(buffer, byteOffset, byteLength) : Uint8Array.from(bytes);
}
