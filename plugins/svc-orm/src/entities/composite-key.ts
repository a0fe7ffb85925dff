/**
 * Keys of several columns: the text that names a row in the place of an id. Each part is written as in a URL, and commas
 * separate them, so that a row has exactly one such text. Pure.
 */
import { hasOnlyStorableText, type IdForm } from 'svc-stores/table'
import { InvalidValue } from '../errors.ts'

type Values = Readonly<Record<string, unknown>>
type KeyValue = string | number

/** A field of a key. */
export interface KeyPart {
  readonly name: string
  readonly isInteger: boolean
  /** A value as rows have it. @returns `undefined` for what is none */
  read(given: string | number): unknown
  /** Of a reference: its texts; `database`: the ids of the database. Absent: the part is no reference. */
  readonly form?: IdForm | 'database'
}

export class CompositeKey {
  readonly names: readonly string[]
  readonly form: IdForm
  readonly #parts: readonly KeyPart[]

  constructor(parts: readonly KeyPart[]) {
    this.#parts = parts
    this.names = parts.map(({ name }) => name)
    this.form = Object.freeze({
      description: `the key as text: ${this.names.join(',')}`,
      generate: () => this.#generate(),
      accepts: (id: string) => this.valuesOf(id) !== null
    })
  }

  /** @returns `null` where a part is missing */
  textOf(row: Values): string | null {
    const parts = this.names.map((name) => row[name] ?? null)
    return parts.includes(null) ? null : parts.map((part) => encodeURIComponent(String(part))).join(',')
  }

  /** As rows have them, in the order of the fields. @param ids of the database @returns `null` for a text that names no row */
  valuesOf(id: string, ids?: IdForm): readonly KeyValue[] | null {
    const texts = id.split(',')
    if (texts.length !== this.#parts.length) return null
    const values = this.#parts.map((part, place) => readPart(part, texts[place] as string, ids))
    const isWhole = values.every((value): value is KeyValue => value !== null)
    return isWhole && values.map((value) => encodeURIComponent(String(value))).join(',') === id ? values : null
  }

  #generate(): never {
    throw new InvalidValue('id', `no value of its own, because ${this.names.join(', ')} are the key`)
  }
}

function readPart({ isInteger, read, form }: KeyPart, written: string, ids: IdForm | undefined): KeyValue | null {
  try {
    const text = decodeURIComponent(written)
    const texts = form === 'database' ? ids : form
    if (!hasOnlyStorableText(text) || texts?.accepts(text) === false) return null
    const value = read(isInteger ? Number(text) : text)
    return typeof value === 'string' || typeof value === 'number' ? value : null
  } catch {
    return null
  }
}
