import type { Translation } from '../../i18n/translation.ts';
import type { messages as english } from '../en/reports.ts';

export const messages: Translation<typeof english> = {};
