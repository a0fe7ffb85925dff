/** A registration as a browser sends it (WebAuthn level 3, 5.1.8), of an ES256 key made here, without attestation. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

/** User present and verified, credential data included. */
const FLAGS = 0x45

/** @param challenge as the server gave it, base64url */
export function madePasskey(challenge: string, origin: string, rpId: string) {
  const id = randomBytes(32)
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
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
