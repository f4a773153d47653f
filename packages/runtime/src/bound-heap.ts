import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * By how much the heap may grow over what was live at its last collection, in percent. V8 may let it grow fourfold. Less makes
 * lists dearer, whose answers outlive the young generation.
 */
const GROWTH_PERCENT = 75;

/**
 * Bounds the garbage in the heap of this process and of its threads. V8 collects a heap when it has grown by a factor, which
 * it chooses by the memory of the machine; and before the first collection it permits half a gigabyte. A burst of requests
 * would use as much, most of it garbage. Called when the process has started, so that what it loaded is live.
 */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  // The first collection ends the first limit. Node offers a collection only in contexts that are created with this option.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  setFlagsFromString('--no-expose-gc');
}
