/** What a browser sends of a passkey: a registration (WebAuthn level 3, 5.1.8) without attestation, and a login by it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** User present and verified, credential data included. */
const FLAGS = 0x45

/** User present and verified. */
const LOGIN_FLAGS = 0x05

/** The key of an authenticator, ES256. */
export function passkeyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** @param challenge as the server gave it, base64url */
export function madePasskey(challenge: string, origin: string, rpId: string, { publicKey } = passkeyPair()) {
  const id = randomBytes(32)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // CBOR of {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053).
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url')
  ])
  const party = createHash('sha256').update(rpId).digest()
  const data = Buffer.concat([party, Buffer.from([FLAGS, 0, 0, 0, 0]), Buffer.alloc(16), Buffer.from([0, 32]), id, key])
  // CBOR of {fmt: "none", attStmt: {}, authData: data}.
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    Buffer.from([data.length]),
    data
  ])
  const client = JSON.stringify({ type: 'webauthn.create', challenge, origin })
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(client).toString('base64url'),
      attestationObject: attestation.toString('base64url')
    }
  }
}

/** A login by the passkey of this key. @param userHandle as the registration was told it, base64url */
export function provenPasskey(
  id: string,
  privateKey: KeyObject,
  { challenge, origin, rpId, userHandle }: Readonly<Record<'challenge' | 'origin' | 'rpId' | 'userHandle', string>>
) {
  const party = createHash('sha256').update(rpId).digest()
  const data = Buffer.concat([party, Buffer.from([LOGIN_FLAGS, 0, 0, 0, 0])])
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }))
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, privateKey).toString('base64url'),
      userHandle
    }
  }
}
