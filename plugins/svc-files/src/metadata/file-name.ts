/** Names of files, as their senders write them: made harmless for who saves the file, and written into a header. Pure. */

const MOST_BYTES = 255

/** What no path, shell or screen takes for more than a name: separators, controls, marks that turn the direction of text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu

/** Windows opens a device instead. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** @returns 1 to 255 bytes of UTF-8, without a path; `file` where nothing remains */
export function safeFileName(given: string): string {
  const last = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const clean = last
    .normalize('NFC')
    .replace(UNSAFE, '')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const name = shortened(clean) || 'file'
  return DEVICE.test(name) ? `_${name}`.slice(0, MOST_BYTES) : name
}

/** Of a long name the end of its stem is left out, and the extension stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name
  const [extension = ''] = /\.[^.]{1,20}$/.exec(name) ?? []
  let stem = name.slice(0, name.length - extension.length)
  while (Buffer.byteLength(stem + extension) > MOST_BYTES)
    stem = stem
      .slice(0, -1)
      .toWellFormed()
      .replace(/\ufffd$/, '')
  return stem + extension
}

/** The value of `Content-Disposition` (RFC 6266), with the name in ASCII for old clients, and whole (RFC 8187). */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|[%"\\]/gu, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${exact}`}`
}
