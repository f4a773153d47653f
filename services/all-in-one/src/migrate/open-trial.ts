import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { closeAll } from '@steward/kernel';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { openEmbeddedStore } from '@steward/runtime';
import type { Kind } from '../import/kind.ts';
import { KINDS } from '../import/kinds.ts';
import { mediaWithoutFiles } from '../import/media-kind.ts';
import { openOn } from '../import/open-services.ts';
import { Ledger } from './ledger.ts';

/** A store of its own into which records are loaded, so that the services say what they refuse. */
export interface Trial {
  readonly ledger: Ledger;
  readonly open: (kind: string) => Kind;
  /** Removes everything that was loaded. */
  close(): Promise<void>;
}

/**
 * Opens an empty store below the folder for temporary files, with the services of a server of the same settings. Of events nothing
 * is stored, of media the records alone.
 *
 * @param mediaFolder the folder with the files that records of media name
 */
export async function openTrial(config: Config, mediaFolder: string): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-migrate-trial-'));
  const opened: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = () => closeAll(opened.splice(0).reverse());
  try {
    const { second_store: _, ...media } = config.media;
    const own: Config = {
      ...config,
      server: { ...config.server, data: folder },
      media: { ...media, store: 'file' },
    };
    const store = await openEmbeddedStore(own, { loading: true, say() {} });
    opened.push(() => store.close());
    const services = await openOn(store, own);
    opened.push(() => services.close());
    const ledger = Ledger.open(join(folder, 'ledger.sqlite'));
    opened.push(() => ledger.close());
    const rooms = createClient(ImportService, services.room());
    return {
      ledger,
      open(name) {
        const kind = KINDS.get(name)?.(services, mediaFolder);
        if (!kind) throw new Error(`There are no records of kind ${name}`);
        if (name === 'events')
          return {
            ...kind,
            load: (events) => rooms.importEvents({ events: events as string[], checkOnly: true }),
          };
        if (name === 'media') return { ...kind, ...mediaWithoutFiles(services.media(), mediaFolder) };
        // Members follow from events.
        if (name === 'forgotten_rooms')
          return { ...kind, load: async () => ({ loaded: 0, skipped: 0, problems: [] }) };
        return kind;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
