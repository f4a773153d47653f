// Vitest runs this before the tests, some of which start the programs.
import { buildProgram, isProgramBuilt } from './build-program.mjs';

/**
 * Builds the programs from the sources as they are now. Of files that a developer names, all tests run, also those whose turn
 * it is not.
 *
 * @public Vitest calls it.
 * @param {import('vitest/node').TestProject} project
 */
export async function setup({ vitest }) {
  // Vitest's types lack it.
  const { filenamePattern = [] } = /** @type {{ filenamePattern?: string[] }} */ (
    /** @type {unknown} */ (vitest)
  );
  if (filenamePattern.length > 0) process.env.STEWARD_SOAK = 'all';
  if (!isProgramBuilt()) await buildProgram();
}
