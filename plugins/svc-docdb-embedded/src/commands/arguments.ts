/**
 * The arguments of one command. Each is read with its type, and `end` refuses what was not read: an option that this
 * engine does not know is an error, never ignored.
 */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { toDouble, truthy } from '../values/numbers.ts'
import { type Document, isDocument, isNumber, typeOf, type Value } from '../values/value.ts'

/** What every command may carry; sessions, transactions and concerns are read where they are used. */
const GENERIC: readonly string[] = [
  ...['lsid', '$db', 'txnNumber', 'autocommit', 'startTransaction', '$clusterTime', '$readPreference', 'readConcern'],
  ...['writeConcern', 'maxTimeMS', 'comment', 'apiVersion', 'apiStrict', 'apiDeprecationErrors']
]

export class Arguments {
  /** The name of the command, or of the list that holds the arguments, for messages. */
  readonly #name: string
  readonly #body: Document
  readonly #read: Set<string>

  constructor(name: string, body: Document, known: readonly string[] = GENERIC) {
    this.#name = name
    this.#body = body
    this.#read = new Set(known)
  }

  /** The value as it is; `undefined` where there is none. */
  any(field: string): Value | undefined {
    this.#read.add(field)
    return this.#body.get(field)
  }

  string(field: string): string {
    const value = this.#required(field)
    return typeof value === 'string' ? value : this.#wrong(field, value, 'string')
  }

  document(field: string): Document {
    const value = this.#required(field)
    return isDocument(value) ? value : this.#wrong(field, value, 'object')
  }

  /** Empty where there is none. */
  optionalDocument(field: string): Document {
    return this.#given(field) === undefined ? new Map() : this.document(field)
  }

  documents(field: string): Document[] {
    const value = this.#required(field)
    if (!Array.isArray(value)) return this.#wrong(field, value, 'array')
    return value.map((item, index) => (isDocument(item) ? item : this.#wrong(`${field}.${index}`, item, 'object')))
  }

  optionalDocuments(field: string): Document[] {
    return this.#given(field) === undefined ? [] : this.documents(field)
  }

  flag(field: string, otherwise = false): boolean {
    const value = this.#given(field)
    if (value === undefined) return otherwise
    return typeof value === 'boolean' || isNumber(value) ? truthy(value) : this.#wrong(field, value, 'bool')
  }

  /** A whole number, `null` where there is none. @throws CommandError 14 for another type, 51024 below the minimum */
  integer(field: string, minimum = 0): number | null {
    const value = this.#given(field)
    if (value === undefined) return null
    if (!isNumber(value)) return this.#wrong(field, value, 'long')
    const number = Math.trunc(toDouble(value))
    if (number >= minimum) return number
    throw new CommandError(51024, `BSON field '${field}' value must be >= ${minimum}, actual value '${number}'`)
  }

  /** Name or key of an index; an empty one is none. */
  hint(): Value | undefined {
    const hint = this.#given('hint')
    if (hint === undefined || hint === '' || (isDocument(hint) && hint.size === 0)) return undefined
    if (typeof hint === 'string' || isDocument(hint)) return hint
    throw new CommandError(14, "BSON field 'hint' must be the name or the key of an index")
  }

  /** The batch size in the `cursor` option of listings and aggregations. */
  cursorOptions(): { batchSize: number | null } {
    const cursor = this.optionalDocument('cursor')
    for (const name of cursor.keys()) {
      if (name !== 'batchSize') throw new CommandError(40415, `BSON field 'cursor.${name}' is an unknown field.`)
    }
    const size = cursor.get('batchSize')
    return { batchSize: size === undefined ? null : Number(String(size)) }
  }

  /** Options that change nothing here, such as hints on disk use. */
  ignore(...fields: string[]): void {
    for (const field of fields) this.#read.add(field)
  }

  /** Options that are refused as soon as they ask for something. */
  refuse(...fields: string[]): void {
    for (const field of fields) {
      const value = this.any(field)
      const asks = isDocument(value) ? value.size > 0 : truthy(value)
      if (asks) throw notImplemented(`the option '${field}' of ${this.#name}`)
    }
  }

  /** Strings compare by their bytes here; only `simple` says so too. */
  simpleCollation(): void {
    const collation = this.optionalDocument('collation')
    if (collation.size === 0 || collation.get('locale') === 'simple') return
    throw new CommandError(115, 'collation is not available in the embedded development engine')
  }

  /** @throws CommandError 40415 for a field that was not read */
  end(): void {
    for (const field of this.#body.keys()) {
      if (this.#read.has(field)) continue
      throw new CommandError(40415, `BSON field '${this.#name}.${field}' is an unknown field.`)
    }
  }

  /** Drivers send null for what is not given. */
  #given(field: string): Value | undefined {
    return this.any(field) ?? undefined
  }

  #required(field: string): Value {
    const value = this.any(field)
    if (value !== undefined) return value
    throw new CommandError(40414, `BSON field '${this.#name}.${field}' is missing but a required field`)
  }

  #wrong(field: string, value: Value, expected: string): never {
    throw new CommandError(
      14,
      `BSON field '${this.#name}.${field}' is the wrong type '${typeOf(value).name}', expected type '${expected}'`
    )
  }
}
