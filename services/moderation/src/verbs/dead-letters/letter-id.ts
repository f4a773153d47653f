/** The id under which administrators know a dead letter: that of the bus may have characters that paths cannot hold. */
export function toLetterId(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id of the bus; whatever else is said stands for no letter. */
export function fromLetterId(letterId: string): string {
  return Buffer.from(letterId, 'base64url').toString();
}
