/**
 * The form in which a password is hashed and compared: NFKC, because keyboards of different systems compose the same characters
 * differently. Hashes that were made of another form still have to be compared with the password as it was given.
 */
export function passwordText(password: string): string {
  return password.normalize('NFKC');
}
