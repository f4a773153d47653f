import type { Translation } from '../../i18n/translation.ts';
import type { messages as english } from '../en/tasks.ts';

export const messages: Translation<typeof english> = {};
