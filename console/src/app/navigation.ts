import { ClipboardList, DoorOpen, Flag, Gauge, Image, KeyRound, ScrollText, Users } from 'lucide-react';
import type { Can } from '../api/use-can.ts';
import type { PageEntry } from '../palette/page-entry.ts';

/** A page in the navigation. */
export interface Destination extends PageEntry {
  /** Whether the user may read anything there. */
  readonly isOpen: (can: Can) => boolean;
}

/** The pages in the navigation. */
export const DESTINATIONS: readonly Destination[] = [
  { key: 'overview', to: '/', icon: Gauge, isOpen: () => true },
  { key: 'users', to: '/users', icon: Users, isOpen: (can) => can('users.list') },
  { key: 'rooms', to: '/rooms', icon: DoorOpen, isOpen: (can) => can('rooms.list') },
  { key: 'reports', to: '/reports', icon: Flag, isOpen: (can) => can('reports.list') },
  { key: 'media', to: '/media', icon: Image, isOpen: (can) => can('media.list') },
  { key: 'tasks', to: '/tasks', icon: ClipboardList, isOpen: (can) => can('tasks.list') },
  { key: 'audit', to: '/audit', icon: ScrollText, isOpen: (can) => can('audit.list') },
  { key: 'access', to: '/access', icon: KeyRound, isOpen: () => true },
];
