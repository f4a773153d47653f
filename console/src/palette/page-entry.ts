import type { LucideIcon } from 'lucide-react';

/** A page of the navigation. */
export interface PageEntry {
  readonly key: 'overview' | 'users' | 'rooms' | 'reports' | 'media' | 'tasks' | 'audit' | 'access';
  readonly to: '/' | '/users' | '/rooms' | '/reports' | '/media' | '/tasks' | '/audit' | '/access';
  readonly icon: LucideIcon;
}
