// Vitest runs this before the tests, some of which start the programs.
import { buildProgram, isProgramBuilt } from './build-program.mjs';

/**
 * Builds the programs from the sources as they are now.
 *
 * @public Vitest calls it.
 */
export async function setup() {
  if (!isProgramBuilt()) await buildProgram();
}
