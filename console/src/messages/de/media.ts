import type { Translation } from '../../i18n/translation.ts';
import type { messages as english } from '../en/media.ts';

export const messages: Translation<typeof english> = {};
