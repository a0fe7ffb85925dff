/** The field `Range` (RFC 9110, 14.2): one range of bytes. Several, another unit, or nonsense: the whole file is sent. Pure. */
import type { ByteRange } from '../content/file-content.ts'

const SINGLE = /^bytes[ \t]*=[ \t]*(\d*)[ \t]*-[ \t]*(\d*)[ \t]*$/i

/** @returns `null`: the whole file; `unsatisfiable`: it has no byte of the range */
export function readRange(field: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = SINGLE.exec(field ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const count = Number(last)
    return count === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - count), end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return null
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
