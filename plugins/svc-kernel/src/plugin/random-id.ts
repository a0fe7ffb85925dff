/** Identifiers of the spec's form `<prefix>_<random base64url>`. */
import { randomBytes } from 'node:crypto'

/**
 * @param prefix short lower-case word, such as `wh` or `msg`
 * @param bytes entropy in bytes; default 16
 */
export function randomId(prefix: string, bytes = 16): string {
  return `${prefix}_${randomBytes(bytes).toString('base64url')}`
}
