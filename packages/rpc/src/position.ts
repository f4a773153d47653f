import { refuse } from '@steward/errors';
import { headers } from './headers.ts';

/** The header of the answer to a recorded change that has its position: the id of its entry in the audit log. */
export const POSITION_HEADER = 'X-Steward-Position';

/** The header in which a read names the positions of the changes that it waits for. */
export const WAIT_HEADER = 'X-Steward-Wait-For';

/** How many changes one read waits for. */
const MOST_POSITIONS = 20;

const POSITION = /^\d{15,16}-\d{6,9}-[\w-]{22}$/;

/** States the position of the change that a call made. */
export function setPosition(header: Headers, position: string): void {
  header.set(headers.position, position);
}

/** The position that an answer states, if it does. */
export function readPosition(header: Headers): string | undefined {
  return header.get(headers.position) ?? undefined;
}

/**
 * The positions in a header `X-Steward-Wait-For`, which commas separate.
 *
 * @throws refuse.invalidParam when one of them is none, or there are too many
 */
export function parsePositions(sent: string): readonly string[] {
  const positions = sent.split(',').map((each) => each.trim());
  if (positions.length > MOST_POSITIONS)
    throw refuse.invalidParam(`The header ${WAIT_HEADER} has more than ${MOST_POSITIONS} positions`);
  if (!positions.every((each) => POSITION.test(each)))
    throw refuse.invalidParam(
      `The header ${WAIT_HEADER} has a value that is not a position: send what answers have in ${POSITION_HEADER}`,
    );
  return positions;
}
