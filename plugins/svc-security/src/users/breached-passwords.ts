/**
 * Whether a password is in a list of breached ones, as Have I Been Pwned publishes it: SHA-1 in hexadecimal, each with the
 * count of its finds. A file of whole hashes in order is searched by halves, a folder of ranges holds a file for each first
 * five digits; neither is read into memory. An application may answer for a range instead: it never sees the password.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MaybePromise } from 'svc-kernel'

/**
 * The hashes that begin with five digits (k-anonymity), as the API of Have I Been Pwned answers for a range.
 *
 * @param prefix first five digits of the SHA-1 of a password, upper case
 * @returns lines of the other 35 digits, a colon and a count; a count of 0 is padding
 */
export type BreachedRange = (prefix: string) => MaybePromise<string>

/** Rejects where the list cannot be read. */
export type BreachedList = (password: string) => Promise<boolean>

const LINE = /^([0-9A-Fa-f]{40})(?::(\d{1,12}))?$/
const PREFIX_LENGTH = 5

/** Bytes that are read at once: more than two lines. */
const [PROBE, LAST] = [256, 4096]

/** @throws what reading throws; Error for a file that is no such list */
export async function openBreachedList(path: string): Promise<BreachedList> {
  if ((await stat(path)).isDirectory()) {
    const ranges = breachedRange((prefix) => readFile(join(path, `${prefix}.txt`), 'latin1'))
    await ranges('')
    return ranges
  }
  const search = async (password: string) => {
    // Opened each time, so that a newer list that takes the place of this one is used.
    const file = await open(path)
    try {
      return await isListed(file, sha1(password))
    } finally {
      await file.close()
    }
  }
  await search('')
  return search
}

export function breachedRange(range: BreachedRange): BreachedList {
  return async (password) => {
    const digest = sha1(password)
    const prefix = digest.slice(0, PREFIX_LENGTH)
    const answer: unknown = await range(prefix)
    if (typeof answer !== 'string') throw new TypeError('a range of breached passwords is no text')
    return isAmong(answer, digest, prefix)
  }
}

/** The lines between `from` and `to` may hold the hash; `from` begins a line. */
async function isListed(file: FileHandle, digest: string): Promise<boolean> {
  let [from, to] = [0, (await file.stat()).size]
  while (to - from > LAST) {
    const middle = from + Math.floor((to - from) / 2)
    const block = await readText(file, middle, PROBE)
    const begin = block.indexOf('\n') + 1
    const end = block.indexOf('\n', begin)
    const found = hashOf(block.slice(begin, end))
    if (begin === 0 || end < 0 || found === null) throw notAList(middle)
    if (found === digest) return countOf(block.slice(begin, end)) > 0
    if (found < digest) from = middle + begin
    else to = middle + begin
  }
  return isAmong(await readText(file, from, to - from), digest, '')
}

/** @throws Error where a line is no hash, so that a wrong file never passes for an empty list */
function isAmong(text: string, digest: string, prefix: string): boolean {
  let isFound = false
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const found = hashOf(prefix + line)
    if (found === null) throw notAList(null)
    if (found === digest && countOf(line) > 0) isFound = true
  }
  return isFound
}

async function readText(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.toString('latin1', 0, bytesRead)
}

function hashOf(line: string): string | null {
  return LINE.exec(line.trim())?.[1]?.toUpperCase() ?? null
}

/** Without a count, a line says that there was one. */
function countOf(line: string): number {
  return Number(line.trim().split(':')[1] ?? 1)
}

function notAList(position: number | null): Error {
  const where = position === null ? '' : ` at byte ${position}`
  return new Error(`no line of a SHA-1 in hexadecimal and a count${where}`)
}

function sha1(password: string): string {
  return createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase()
}
