import { StewardError } from './errors.ts';

/** @throws StewardError with `INVALID_ANSWER` if the text is not JSON, as when a proxy answers */
export function parseJson(text: string, response?: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StewardError('an answer that is not JSON', {
      status: response?.status ?? 200,
      errcode: 'INVALID_ANSWER',
      requestId: response?.headers.get('x-request-id') ?? undefined,
      headers: response?.headers,
      body: text,
      cause,
    });
  }
}
