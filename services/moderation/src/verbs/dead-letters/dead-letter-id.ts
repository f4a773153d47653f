/** Encodes the bus's id of a dead letter for administrators, because it may contain characters that paths cannot. */
export function toDeadLetterId(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** Decodes an id to that of the bus; an invalid one becomes the id of no dead letter. */
export function fromDeadLetterId(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString();
}
