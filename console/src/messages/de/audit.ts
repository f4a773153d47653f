import type { Translation } from '../../i18n/translation.ts';
import type { messages as english } from '../en/audit.ts';

export const messages: Translation<typeof english> = {};
