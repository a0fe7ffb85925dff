/**
 * Media types by the first bytes of a file: those that applications take most. A type that is listed here is never
 * believed because a caller says so; one that is not, such as `text/plain`, has no such bytes.
 */

/** How many of the first bytes are looked at. */
export const HEAD_BYTES = 512

interface Magic {
  readonly type: string
  /** `null` stands for any byte. */
  readonly bytes: readonly (number | null)[]
  readonly at?: number
}

const text = (word: string): number[] => [...Buffer.from(word, 'latin1')]
const any = (count: number): null[] => Array.from({ length: count }, () => null)

/** An ISO media file says after `ftyp` which. */
const brand = (type: string, ...names: readonly string[]): Magic[] =>
  names.map((name) => ({ type, bytes: text(`ftyp${name}`), at: 4 }))

/** In this order: what is more exact comes first. */
const MAGICS: readonly Magic[] = [
  { type: 'image/png', bytes: [0x89, ...text('PNG\r\n'), 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: text('GIF87a') },
  { type: 'image/gif', bytes: text('GIF89a') },
  { type: 'image/webp', bytes: [...text('RIFF'), ...any(4), ...text('WEBP')] },
  { type: 'image/bmp', bytes: [...text('BM'), ...any(4), 0, 0, 0, 0] },
  { type: 'image/tiff', bytes: [...text('II'), 0x2a, 0x00] },
  { type: 'image/tiff', bytes: [...text('MM'), 0x00, 0x2a] },
  { type: 'image/x-icon', bytes: [0, 0, 1, 0] },
  ...brand('image/avif', 'avif', 'avis'),
  ...brand('image/heic', 'heic', 'heix', 'hevc', 'mif1'),
  ...brand('video/quicktime', 'qt  '),
  ...brand('audio/mp4', 'M4A '),
  ...brand('video/mp4', ''),
  { type: 'application/pdf', bytes: text('%PDF-') },
  { type: 'application/zip', bytes: [...text('PK'), 3, 4] },
  { type: 'application/zip', bytes: [...text('PK'), 5, 6] },
  { type: 'application/gzip', bytes: [0x1f, 0x8b, 8] },
  { type: 'application/x-7z-compressed', bytes: [...text('7z'), 0xbc, 0xaf, 0x27, 0x1c] },
  { type: 'application/vnd.rar', bytes: [...text('Rar!'), 0x1a, 7] },
  { type: 'application/x-bzip2', bytes: text('BZh') },
  { type: 'application/x-msdownload', bytes: text('MZ') },
  { type: 'application/x-elf', bytes: [0x7f, ...text('ELF')] },
  { type: 'application/x-cfb', bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { type: 'video/webm', bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { type: 'audio/ogg', bytes: text('OggS') },
  { type: 'audio/flac', bytes: text('fLaC') },
  { type: 'audio/wav', bytes: [...text('RIFF'), ...any(4), ...text('WAVE')] },
  { type: 'audio/mpeg', bytes: text('ID3') },
  { type: 'audio/mpeg', bytes: [0xff, 0xfb] }
]

/** Types that are read of bytes, and so are not taken on trust. */
export const KNOWN_TYPES: ReadonlySet<string> = new Set(MAGICS.map(({ type }) => type))

/** @param head the first `HEAD_BYTES`, or the whole file @returns `null` for bytes that none of the types begins with */
export function typeByBytes(head: Uint8Array): string | null {
  const found = MAGICS.find(({ bytes, at = 0 }) => {
    return head.length >= at + bytes.length && bytes.every((byte, index) => byte === null || head[at + index] === byte)
  })
  return found?.type ?? null
}
