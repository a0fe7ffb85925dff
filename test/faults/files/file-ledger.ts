/**
 * What was sent to instances that keep files, what they acknowledged, and the oracle over it. It knows the bytes of what it
 * sent, and nothing of how they are kept.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance } from '../instance-process.ts'
import { MOST_FILES } from './file-app.ts'

export const SCOPES = ['acme', 'globex'] as const
type Scope = (typeof SCOPES)[number]

/** One file, as it was sent. */
export interface SentFile {
  /** Nothing else is called so. */
  readonly name: string
  readonly form: number
  readonly scope: Scope
  readonly bytes: number
  readonly sha256: string
  /** `null` until its form is acknowledged. */
  id: string | null
  removal: 'none' | 'asked' | 'acknowledged'
}

/** As a listing shows it. */
export interface ListedFile {
  readonly id: string
  readonly name: string
  readonly bytes: number
}

const BOUNDARY = 'campaign'
/** A form comes in pieces, so that a kill finds some of it there. */
const PIECE = 16_384
const PIECE_MS = 3
const LARGE = { oneIn: 6, bytes: 200_000 }
const SMALL = 40_000

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export class FileLedger {
  readonly files: SentFile[] = []
  /** Forms that began and got no answer. */
  cut = 0
  readonly #below: (bound: number) => number

  /** @param below a number from 0 to `bound - 1` */
  constructor(below: (bound: number) => number) {
    this.#below = below
  }

  /** Sends a form of some files. @returns whether it was acknowledged */
  async upload(instance: Instance, form: number): Promise<boolean> {
    const scope = SCOPES[form % 2] as Scope
    const contents = Array.from({ length: 1 + this.#below(MOST_FILES) }, () => randomBytes(this.#size()))
    const sent = contents.map((content, place): SentFile => {
      const what = { name: `f${form}-${place}`, form, scope, bytes: content.length, sha256: sha256(content) }
      return { ...what, id: null, removal: 'none' }
    })
    this.files.push(...sent)
    const { running } = instance
    const answer = await instance.ask('/files', {
      method: 'POST',
      headers: { 'x-scope': scope, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: ReadableStream.from(pieces(sent, contents)),
      duplex: 'half'
    })
    if (answer === null && running) this.cut += 1
    if (answer?.ok !== true) return false
    const { files } = JSON.parse(String(answer.body)) as { files: readonly ListedFile[] }
    for (const [place, { id }] of files.entries()) (sent[place] as SentFile).id = id
    return true
  }

  /** Removes a file that nobody asked to remove. @returns whether it was acknowledged */
  async remove(instance: Instance): Promise<boolean> {
    const mine = this.files.filter(({ id, removal }) => id !== null && removal === 'none')
    const file = mine[this.#below(mine.length)]
    if (file === undefined) return true
    file.removal = 'asked'
    const headers = { 'x-scope': file.scope }
    const answer = await instance.ask(`/files/${file.id}`, { method: 'DELETE', headers })
    if (answer?.ok === true) file.removal = 'acknowledged'
    return answer?.ok === true
  }

  /** Files of acknowledged forms that nobody asked to remove are whole; removed ones are not found. @returns the faults */
  async acknowledged(instance: Instance): Promise<string[]> {
    const faults: string[] = []
    for (const file of this.files) {
      const { id, name, scope, removal } = file
      if (id === null || removal === 'asked') continue
      const answer = await instance.ask(`/files/${id}`, { headers: { 'x-scope': scope } })
      const found = removal === 'none' ? wrong(file, answer) : answer?.status === 404 ? null : `${answer?.status}`
      if (found !== null) faults.push(`${name}, removal ${removal}: ${found}`)
    }
    return faults
  }

  /**
   * What a listing shows is whole, and was sent to this scope. @param sample so many of them, by chance; absent: all
   *
   * @returns the faults, and what was listed; `null` where the instance did not answer
   */
  async listed(instance: Instance, scope: Scope, sample?: number): Promise<Listing | null> {
    const headers = { 'x-scope': scope }
    const answer = await instance.ask('/files', { headers })
    if (answer?.ok !== true) return null
    const all = JSON.parse(String(answer.body)) as readonly ListedFile[]
    const from = sample === undefined ? 0 : this.#below(Math.max(1, all.length - sample))
    const faults: string[] = []
    for (const { id, name, bytes } of all.slice(from, sample === undefined ? undefined : from + sample)) {
      const sent = this.files.find((each) => each.name === name)
      const content = await instance.ask(`/files/${id}`, { headers })
      // Killed meanwhile.
      if (content === null && sample !== undefined) return null
      // Removed meanwhile.
      if (content?.status === 404 && sample !== undefined && sent?.removal !== 'none') continue
      const isOurs = sent?.scope === scope && sent.bytes === bytes && (sent.id ?? id) === id
      const found = isOurs ? wrong(sent, content) : 'nothing like it was sent'
      if (found !== null) faults.push(`${scope} lists ${name} of ${bytes} bytes: ${found}`)
    }
    return { all, faults }
  }

  /** Forms without an answer that are there in part. @param names of all files that are listed */
  halves(names: ReadonlySet<string>): readonly number[] {
    const open = this.files.filter(({ id }) => id === null)
    const states = Map.groupBy(open, ({ form }) => form)
    return [...states].flatMap(([form, files]) => {
      const there = files.filter(({ name }) => names.has(name)).length
      return there === 0 || there === files.length ? [] : [form]
    })
  }

  #size(): number {
    return this.#below(LARGE.oneIn) === 0 ? LARGE.bytes : 1 + this.#below(SMALL)
  }
}

export interface Listing {
  readonly all: readonly ListedFile[]
  readonly faults: readonly string[]
}

/** @returns what is wrong with an answer that has to be this file */
function wrong({ bytes, sha256: expected }: SentFile, answer: Awaited<ReturnType<Instance['ask']>>): string | null {
  if (answer?.status !== 200) return `answered ${answer?.status ?? 'nothing'}: ${String(answer?.body).slice(0, 200)}`
  if (answer.headers.get('content-length') !== String(bytes)) return `${answer.headers.get('content-length')} announced`
  return sha256(answer.body) === expected ? null : `other bytes, ${answer.body.length}`
}

async function* pieces(files: readonly SentFile[], contents: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (const [place, content] of contents.entries()) {
    const disposition = `content-disposition: form-data; name="file"; filename="${files[place]?.name}"`
    yield Buffer.from(`--${BOUNDARY}\r\n${disposition}\r\ncontent-type: application/octet-stream\r\n\r\n`)
    for (let from = 0; from < content.length; from += PIECE) {
      yield content.subarray(from, from + PIECE)
      await sleep(PIECE_MS)
    }
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${BOUNDARY}--\r\n`)
}
