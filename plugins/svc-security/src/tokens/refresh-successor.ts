/**
 * The secret of a refresh token that replaces another follows from that one and from a key of the key set: who presents
 * the old one again, within seconds, gets the same successor, and no secret is kept for it. Without the private key the
 * old token says nothing of the new one.
 */
import { createHash, sign } from 'node:crypto'
import type { SigningKey } from '../signing-keys/signing-key.ts'

/** Begins with what no signed token can begin with. Never changes. */
const CONTEXT = 'svc-security/refresh-successor\0'

/** @param replaced the token that was presented @param id of the successor @returns `null` for a key that only verifies */
export function successorSecret(replaced: string, id: string, { privateKey }: SigningKey): string | null {
  if (privateKey === null) return null
  // Ed25519 signs the same text always alike (RFC 8032, 5.1.6).
  const signature = sign(null, Buffer.from(`${CONTEXT}${id}\0${replaced}`), privateKey)
  return `rt_${createHash('sha256').update(signature).digest('base64url')}`
}
