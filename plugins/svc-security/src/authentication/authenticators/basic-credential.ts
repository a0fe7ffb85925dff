/** Reads `Authorization: Basic` (RFC 7617) strictly: what Node's decoder would tolerate, nobody meant. Pure. */

export interface BasicCredential {
  readonly identifier: string
  readonly password: string
}

const SCHEME = /^basic(?: |$)/i
/** Padding may be left out; nothing else may be. */
const TOKEN = /^basic +([A-Za-z0-9+/]+)(={0,2}) *$/i
const CONTROL = /[\u0000-\u001f\u007f]/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** True when the header speaks this scheme, well or ill. */
export function isBasic(header: string | undefined): boolean {
  return header !== undefined && SCHEME.test(header)
}

/** @returns `null` for what is no credential: bad base64, bad UTF-8, control characters, no colon, no name */
export function readBasic(header: string | undefined): BasicCredential | null {
  const [, encoded, padding = ''] = TOKEN.exec(header ?? '') ?? []
  if (encoded === undefined || !isBase64(encoded, padding)) return null
  const text = decode(Buffer.from(encoded, 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 1 || CONTROL.test(text)) return null
  return { identifier: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** One text for each value: full groups, and no bits left over. */
function isBase64(encoded: string, padding: string): boolean {
  if (padding !== '' && (encoded.length + padding.length) % 4 !== 0) return false
  return Buffer.from(encoded, 'base64').toString('base64').replace(/=+$/, '') === encoded
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
