import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Config } from '@steward/config';
import { type Random, randomId } from '@steward/kernel';
import { Unavailable } from '@steward/store';
import pLimit from 'p-limit';
import { checkBlobKey, originalKey } from './blob-key.ts';
import { BlobMissing, type BlobStore, type ByteRange, PIECE_BYTES, type StoredBlob } from './blob-store.ts';
import { measure } from './measure.ts';

/** The size of the parts of an upload, in bytes. Smaller blobs are sent as one object. */
const PART_BYTES = 8 * 1024 * 1024;

/** How many blobs are sent at once; each needs the memory of one part. */
const TRANSFERS = 4;

/** How long a connection may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** How long the service and the readers of blobs may take, in milliseconds. */
interface Patience {
  /** For the answer to a request, and for progress in sending it. */
  readonly answerMs: number;
  /** For the next bytes of a blob. A reader's pause looks the same, so it is longer than a gateway lets a client pause. */
  readonly pauseMs: number;
}

const PATIENCE: Patience = { answerMs: 30_000, pauseMs: 90_000 };

const FILE_MODE = 0o600;

/**
 * Blobs as objects in a bucket of an S3 service. What is uploaded is received in a temporary file without a name, and sent when it
 * is complete: a slow client occupies neither memory nor a request of the service, and a crash leaves no file. Large blobs are
 * sent in parts; `delete` removes the parts of an upload that a crash has ended.
 *
 * @param bucketSetting the variable that names the bucket, for errors
 * @throws Error in one line when the bucket does not exist or refuses the credentials
 */
export async function s3Blobs(
  { s3, bucketSetting = 'STEWARD_S3_BUCKET' }: Pick<Config['media'], 's3'> & { bucketSetting?: string },
  random: Random,
  { answerMs, pauseMs } = PATIENCE,
): Promise<BlobStore> {
  const { bucket: Bucket = '', prefix } = s3;
  const client = createClient(s3, { socketTimeout: answerMs });
  // Each blob that is being read has a connection, for as long as its reader takes: no other request waits for that.
  const agent = { maxSockets: Number.POSITIVE_INFINITY };
  const reading = createClient(s3, {
    requestTimeout: answerMs,
    throwOnRequestTimeout: true,
    socketTimeout: pauseMs,
    httpAgent: agent,
    httpsAgent: agent,
  });
  await checkBucket(client, Bucket, bucketSetting);
  const transfers = pLimit(TRANSFERS);
  const encryption = {
    ...(s3.server_side_encryption ? { ServerSideEncryption: s3.server_side_encryption } : {}),
    ...(s3.kms_key_id ? { SSEKMSKeyId: s3.kms_key_id } : {}),
  };
  const objectOf = (key: string) => {
    checkBlobKey(key);
    return { Bucket, Key: `${prefix}${key}` };
  };
  return {
    async put(key, source, limitBytes): Promise<StoredBlob> {
      const object = { ...objectOf(key), ...encryption };
      const path = join(tmpdir(), `steward-${randomId(random)}`);
      const file = await open(path, 'wx+', FILE_MODE);
      try {
        // The bytes exist until the file is closed, also by the end of the process.
        await rm(path);
        const { bytes, result } = measure(source, limitBytes);
        for await (const piece of bytes) await file.writeFile(piece);
        const stored = result();
        await transfers(() => send(client, object, file, stored.length)).catch(rethrow);
        return stored;
      } finally {
        await file.close();
      }
    },
    async *open(key, range) {
      const object = objectOf(key);
      if (range?.length === 0) return;
      const Range = range && rangeHeader(range);
      const answer = await reading
        .send(new GetObjectCommand({ ...object, ...(Range ? { Range } : {}) }))
        .catch((error: unknown) => {
          if (statusOf(error) === 404) throw new BlobMissing(key);
          // The range begins behind the last byte.
          if (statusOf(error) === 416) return undefined;
          return rethrow(error);
        });
      if (!answer) return;
      const body = answer.Body as Readable;
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
        }
      } catch (error) {
        rethrow(error);
      } finally {
        body.destroy();
      }
    },
    async delete(key) {
      const object = objectOf(key);
      try {
        // A derived blob is small, and never sent in parts.
        if (originalKey(key) === key) await abortUploads(client, object);
        await client.send(new DeleteObjectCommand(object)).catch(unlessMissing);
      } catch (error) {
        rethrow(error);
      }
    },
    freeBytes: async () => Number.POSITIVE_INFINITY,
    async close() {
      client.destroy();
      reading.destroy();
    },
  };
}

/** The name of an object. */
interface Named {
  readonly Bucket: string;
  readonly Key: string;
}

function createClient(
  { endpoint, region, path_style }: Config['media']['s3'],
  connections: S3ClientConfig['requestHandler'],
): S3Client {
  const requestHandler = { connectionTimeout: CONNECT_TIMEOUT_MS, ...connections };
  const common = { region, requestHandler };
  if (endpoint === undefined) return new S3Client({ ...common, forcePathStyle: path_style ?? false });
  return new S3Client({
    ...common,
    endpoint,
    forcePathStyle: path_style ?? true,
    // Not all services know the checksums that AWS asks for by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Refuses to start with settings that cannot work; a service that is away at the start may come back. */
async function checkBucket(client: S3Client, Bucket: string, setting: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) throw new Error(`${setting}: there is no bucket ${Bucket}`, { cause: error });
    if (status === 401 || status === 403) {
      throw new Error(`${setting}: the credentials do not admit to the bucket ${Bucket}`, {
        cause: error,
      });
    }
    if (!isAway(error))
      throw new Error(`The S3 service cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/** Sends the bytes of a file: in one request if they are few, else in parts. */
async function send(client: S3Client, object: Named, file: FileHandle, bytes: number): Promise<void> {
  // With an end, because the uploader takes the size from it.
  const stream = () => file.createReadStream({ start: 0, end: bytes - 1, autoClose: false });
  if (bytes <= PART_BYTES) {
    const Body = bytes === 0 ? new Uint8Array() : await buffer(stream());
    await client.send(new PutObjectCommand({ ...object, Body }));
    return;
  }
  const Body = stream();
  await new Upload({ client, params: { ...object, Body }, partSize: PART_BYTES, queueSize: 1 }).done();
}

/** Ends the uploads of an object that were not completed, with their parts. */
async function abortUploads(client: S3Client, object: Named): Promise<void> {
  const about = { Bucket: object.Bucket, Prefix: object.Key };
  // A page holds a thousand; what is ended is not listed again.
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand(about)).catch(unlessMissing);
    const { Uploads = [], IsTruncated } = page ?? {};
    const own = Uploads.filter(({ Key }) => Key === object.Key);
    for (const { UploadId } of own) {
      // Another process may have ended it.
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(unlessMissing);
    }
    if (!IsTruncated || own.length === 0) return;
  }
}

function rangeHeader({ start, length }: ByteRange): string {
  return `bytes=${start}-${start + length - 1}`;
}

/** The status of the answer that an error tells of; also of an answer in another form, as proxies give. */
function statusOf(error: unknown): number | undefined {
  return (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;
}

/** Passes over that something does not exist; some services answer so to a list without entries, too. */
function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

const TOO_MANY_REQUESTS = 429;

/** Whether a later attempt may succeed: the service did not answer, is overloaded, or failed. */
function isAway(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === TOO_MANY_REQUESTS;
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return name === 'TimeoutError' || /^E[A-Z_]+$/.test(code ?? '');
}

/** The error is only the cause: logs show its text, and not its fields, which may repeat the request with its session token. */
function rethrow(error: unknown): never {
  if (isAway(error)) throw new Unavailable('The S3 service is not available', { cause: error });
  throw new Error('A request to the S3 service failed', { cause: error });
}
