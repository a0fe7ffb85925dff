/** The yardstick of signed tokens: one Ed25519 verification by `node:crypto`, with the key read beforehand. */
import { generateKeyPairSync, sign, verify } from 'node:crypto'

/** @param length bytes that are signed; header and payload of a token of ours have about 250 */
export function rawVerification(length: number): () => boolean {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const input = Buffer.alloc(length, 'a')
  const signature = sign(null, input, privateKey)
  return () => verify(null, input, publicKey, signature)
}
