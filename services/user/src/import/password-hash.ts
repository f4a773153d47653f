/** The text of an Argon2 hash: kind, version, costs, salt and hash. */
const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$m=(?<memory>\d{1,9}),t=(?<passes>\d{1,5}),p=(?<lanes>\d{1,3})\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<hash>[A-Za-z0-9+/]{14,86})$/;

/** The highest costs, because each login with the password pays them: 1 GiB of memory, in KiB, 64 passes and lanes. */
const MAX_MEMORY_KIB = 1_048_576;
const MAX_PASSES = 64;
const MAX_LANES = 64;

/** The memory of one lane, in KiB. */
const MIN_MEMORY_KIB = 8;

/** Whether a text is a hash that a password can be compared with. */
export function isPasswordHash(text: string): boolean {
  const { memory, passes, lanes, salt = '', hash = '' } = ARGON2.exec(text)?.groups ?? {};
  const costs = [Number(memory), Number(passes), Number(lanes)] as const;
  const [memoryKib, passCount, laneCount] = costs;
  if (!costs.every((cost) => cost >= 1)) return false;
  if (memoryKib > MAX_MEMORY_KIB || passCount > MAX_PASSES || laneCount > MAX_LANES) return false;
  return memoryKib >= MIN_MEMORY_KIB * laneCount && isUnpadded(salt) && isUnpadded(hash);
}

/** Base64 without padding never has one character more than a multiple of four. */
function isUnpadded(text: string): boolean {
  return text.length % 4 !== 1;
}
