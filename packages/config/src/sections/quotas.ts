import { z } from 'zod';
import { settings } from '../setting.ts';

/** The value of a quota that does not limit. */
const UNLIMITED = -1;

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

const quota = (what: string, value: number) =>
  z
    .int()
    .min(UNLIMITED)
    .default(value)
    .register(settings, { governs: `${what}; -1 for no limit` });

/**
 * How much a user may store, unless an administrator has given the user other quotas. The defaults are many times what
 * clients store for a person: they stop a program that fills the disk, and no reader of a large account.
 */
export const quotas = z.strictObject({
  // With 1,000 such users, the media of all of them fit on a disk of 5 TiB.
  media_bytes: quota("The total size of a user's uploads in bytes", 5 * GIB),
  media_count: quota('The number of uploads of a user', 50_000),
  // Each reset of the encryption makes a version, and clients delete the version before.
  key_backup_versions: quota('The number of versions of the key backup of a user', 100),
  // More than 300,000 room keys. Accounts of several years have up to 100,000.
  key_backup_bytes: quota("The total size of a user's backed-up room keys in bytes", 256 * MIB),
  aliases: quota('The number of room aliases that a user created', 500),
  // Clients that never log out leave a device with each login.
  devices: quota('The number of devices of a user, besides the dehydrated one', 500),
  // Clients keep a few dozen objects of the account, and up to three of each room.
  account_data_count: quota(
    "The number of objects in a user's account data, tags and push rules included",
    10_000,
  ),
  account_data_bytes: quota(
    "The total size of a user's account data in bytes, of which each object counts 1 KiB more than its text. An initial sync holds all of it in one response",
    16 * MIB,
  ),
  filters: quota('The number of filters of a user; equal filters count once', 1_000),
  pushers: quota('The number of pushers of a user', 100),
});
