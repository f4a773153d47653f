import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const CREDENTIAL_INCLUDED = 0x40;

const digest = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** What a browser answers, in URL-safe base64, as the server takes it. */
export interface Assertion {
  readonly id: string;
  readonly client_data: string;
  readonly authenticator_data: string;
  readonly signature: string;
}

/** How a proof differs from a right one. */
interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the authenticator has verified its user; it has when unset. */
  readonly verified?: boolean;
  /** What the authenticator says how often it was used; one more than before when unset. */
  readonly counter?: number;
}

/** A passkey as an authenticator in software has it, of a browser at one origin. */
export class Authenticator {
  readonly #origin: string;
  readonly #rpId: string;
  readonly #key: KeyObject;
  readonly #credential = randomBytes(32);
  readonly #publicKey: Buffer;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#rpId = new URL(origin).hostname;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    // A COSE key: EC2, ES256, P-256, and both coordinates of 32 bytes.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** Creates the passkey for a challenge. */
  create(challenge: string, deviation: Deviation = {}) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#credential.length);
    const data = Buffer.concat([
      this.#data(CREDENTIAL_INCLUDED, { counter: 0, ...deviation }),
      Buffer.alloc(16),
      length,
      this.#credential,
      this.#publicKey,
    ]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      size,
      data,
    ]);
    return {
      id: this.#credential.toString('base64url'),
      client_data: this.#clientData('webauthn.create', challenge, deviation).toString('base64url'),
      attestation: attestation.toString('base64url'),
    };
  }

  /** Proves the passkey for a challenge. */
  prove(challenge: string, deviation: Deviation = {}): Assertion {
    const data = this.#data(0, { counter: ++this.counter, ...deviation });
    const clientData = this.#clientData('webauthn.get', challenge, deviation);
    const signature = createSign('sha256').update(data).update(digest(clientData)).sign(this.#key);
    return {
      id: this.#credential.toString('base64url'),
      client_data: clientData.toString('base64url'),
      authenticator_data: data.toString('base64url'),
      signature: signature.toString('base64url'),
    };
  }

  #data(flags: number, { rpId = this.#rpId, verified = true, counter = 0 }: Deviation): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | USER_PRESENT | (verified ? USER_VERIFIED : 0));
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([digest(rpId), rest]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Deviation): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}
