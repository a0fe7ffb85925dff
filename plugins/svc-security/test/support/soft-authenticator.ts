/**
 * An authenticator in software (WebAuthn level 3, section 6): makes one ES256
 * passkey and signs with it. What it sends can be bent at each place.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export const FLAGS = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40 }

export interface Bend {
  origin?: string
  rpId?: string
  type?: string
  flags?: number
  counter?: number
  challenge?: string
  userHandle?: string
}

export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  readonly #rpId: string
  counter = 0

  constructor(origin: string, rpId: string) {
    this.#origin = origin
    this.#rpId = rpId
  }

  create(challenge: string, bend: Bend = {}) {
    const flags = (bend.flags ?? FLAGS.up | FLAGS.uv) | FLAGS.at
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const data = Buffer.concat([this.#data(flags, bend), Buffer.alloc(16), length, id, this.#coseKey()])
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59, data.length >> 8, data.length & 255]),
      data
    ])
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, bend).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal']
      }
    }
  }

  get(challenge: string, bend: Bend = {}) {
    this.counter += 1
    const data = this.#data(bend.flags ?? FLAGS.up | FLAGS.uv, bend)
    const client = this.#clientData('webauthn.get', challenge, bend)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        ...(bend.userHandle === undefined ? {} : { userHandle: bend.userHandle })
      }
    }
  }

  #credential() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  #data(flags: number, bend: Bend): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(bend.counter ?? this.counter)
    const party = createHash('sha256')
      .update(bend.rpId ?? this.#rpId)
      .digest()
    return Buffer.concat([party, Buffer.from([flags]), counter])
  }

  #clientData(type: string, challenge: string, bend: Bend): Buffer {
    const origin = bend.origin ?? this.#origin
    return Buffer.from(JSON.stringify({ type: bend.type ?? type, challenge: bend.challenge ?? challenge, origin }))
  }

  /** CBOR of `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` (RFC 9053). */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url')
    ])
  }
}
