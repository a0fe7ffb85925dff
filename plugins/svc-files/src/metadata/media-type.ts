/** The media type that a file is stored with: what its bytes say wins over what its sender says. Pure. */
import { UnsupportedFileType } from '../errors.ts'
import { KNOWN_TYPES, typeByBytes } from './magic-numbers.ts'

/** Of what nothing better is known. */
const ANY_BYTES = 'application/octet-stream'

/** RFC 6838: type and subtype, without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/

/** Formats that are one of these files inside: the bytes show the container alone, so its sender says which it is. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  'application/zip':
    /^application\/(?:vnd\.openxmlformats-officedocument\..+|vnd\.oasis\.opendocument\..+|epub\+zip|java-archive|vnd\.ms-(?:word|excel|powerpoint)\..+)$/,
  'application/x-cfb': /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint|outlook|project))$/,
  'video/webm': /^(?:audio\/webm|(?:audio|video)\/(?:x-)?matroska)$/,
  'video/mp4': /^(?:audio|video)\/(?:mp4|3gpp2?|x-m4v)$/,
  'audio/ogg': /^(?:video|application)\/ogg$/
}

/**
 * @param declared as the sender wrote it; parameters are left out
 * @returns a type in lower case: that of the bytes; without one, the declared, unless such files begin with bytes of their own
 */
export function mediaTypeOf(declared: string, head: Uint8Array): string {
  const said = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const wellFormed = MEDIA_TYPE.test(said)
  const shown = typeByBytes(head)
  if (shown !== null) return wellFormed && CONTAINERS[shown]?.test(said) ? said : shown
  if (!wellFormed || isClaim(said) || (said.startsWith('text/') && head.includes(0))) return ANY_BYTES
  return said
}

/** The type has bytes of its own, which the file lacks. */
function isClaim(said: string): boolean {
  return KNOWN_TYPES.has(said) || Object.values(CONTAINERS).some((inside) => inside.test(said))
}

/**
 * @param types such as `image/png` or `image/*`; absent: all
 * @throws UnsupportedFileType
 */
export function checkType(type: string, types: readonly string[] | undefined): void {
  if (types === undefined) return
  if (!types.some((taken) => isOf(type, taken))) throw new UnsupportedFileType(type, types.join(', '))
}

/** @param taken a type, or `image/*` */
export function isOf(type: string, taken: string): boolean {
  return taken.endsWith('/*') ? type.startsWith(taken.slice(0, -1)) : type === taken.toLowerCase()
}
