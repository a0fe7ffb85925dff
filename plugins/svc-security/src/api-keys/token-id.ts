/** The name of a token or of a family of them: 16 random bytes, of which nothing follows. */
import { randomBytes } from 'node:crypto'

export function newTokenId(): string {
  return randomBytes(16).toString('base64url')
}
