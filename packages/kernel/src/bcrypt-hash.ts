/** The costs of bcrypt that are accepted: each login with the password takes twice the time for one more, 1.8 s for the highest. */
export const MIN_BCRYPT_COST = 4;
export const MAX_BCRYPT_COST = 15;

const BCRYPT = /^\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{53}$/;

/** Whether a text is a bcrypt hash, of a cost that is accepted. */
export function isBcryptHash(text: string): boolean {
  const cost = Number(BCRYPT.exec(text)?.groups?.cost);
  return cost >= MIN_BCRYPT_COST && cost <= MAX_BCRYPT_COST;
}
