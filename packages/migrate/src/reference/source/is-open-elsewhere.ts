import { readdirSync, readlinkSync, realpathSync } from 'node:fs';

/** The process itself, as Linux names it. */
const SELF = String(process.pid);

/** Whether another process of this machine has a file open, as far as this one may know; false where the system cannot tell. */
export function isOpenElsewhere(path: string): boolean {
  try {
    const file = realpathSync(path);
    return readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && pid !== SELF && hasOpen(pid, file));
  } catch {
    return false;
  }
}

function hasOpen(pid: string, file: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((descriptor) => readlinkSync(`${folder}/${descriptor}`) === file);
  } catch {
    // It has ended, or is of another user.
    return false;
  }
}
