import type { LucideIcon } from 'lucide-react';
import type { Thing } from '../session/recent.ts';
import type { PageEntry } from './page-entry.ts';

/** One line of the palette. */
export interface Entry {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly label: string;
  readonly description?: string | undefined;
  /** The name of what the description identifies. */
  readonly name?: string | undefined;
  /** What it opens. */
  readonly target: { readonly page: PageEntry } | { readonly thing: Thing };
}

/** Lines that belong together. */
export interface EntryGroup {
  readonly label: string;
  readonly entries: readonly Entry[];
}
