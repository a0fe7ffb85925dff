/** Index definitions, read from `createIndexes`; kinds that this engine does not have are refused. */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { type Condition, parseFilter } from '../query/filter.ts'
import { sameDocument } from '../values/encode.ts'
import { toDouble, truthy } from '../values/numbers.ts'
import { type Document, isDocument, isNumber, type Value } from '../values/value.ts'
import { type PartialTest, readPartialTests } from './partial-tests.ts'

interface IndexField {
  readonly path: string
  readonly parts: readonly string[]
  readonly direction: 1 | -1
}

export interface IndexDefinition {
  readonly name: string
  readonly key: Document
  readonly fields: readonly IndexField[]
  readonly unique: boolean
  readonly sparse: boolean
  readonly partial: Condition | null
  /** What each of its documents meets, one by one; `null` where its filter says more than that. */
  readonly partialTests: readonly PartialTest[] | null
  readonly expireAfterSeconds: number | null
  /** As `listIndexes` shows it. */
  readonly specification: Document
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['key', 'name', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'background', 'v'],
  'collation'
])
const ABSENT: ReadonlySet<string> = new Set([
  ...['hidden', 'weights', 'default_language', 'language_override', 'textIndexVersion', '2dsphereIndexVersion'],
  ...['bits', 'min', 'max', 'wildcardProjection', 'storageEngine', 'clustered', 'prepareUnique', 'ns']
])

/** @throws CommandError 9, 14, 67, 72 or 238 for what cannot be an index here */
export function readIndexDefinition(given: Document): IndexDefinition {
  for (const option of given.keys()) {
    if (ABSENT.has(option)) throw notImplemented(`the index option '${option}'`)
    if (!KNOWN.has(option)) throw new CommandError(197, `The field '${option}' is not valid for an index specification`)
  }
  const [key, name] = [given.get('key'), given.get('name')]
  if (!isDocument(key)) throw new CommandError(9, "The 'key' field is a required property of an index specification")
  if (typeof name !== 'string') {
    throw new CommandError(9, "The 'name' field is a required property of an index specification")
  }
  const fields = readFields(key)
  const partial = readPartial(given.get('partialFilterExpression'))
  const sparse = truthy(given.get('sparse'))
  if (sparse && partial !== null)
    throw new CommandError(67, 'cannot mix "partialFilterExpression" and "sparse" options')
  const collation = given.get('collation')
  if (isDocument(collation) && collation.get('locale') !== 'simple') throw notImplemented('collation')
  const specification: Document = new Map(
    [...given].filter(([option]) => !['background', 'collation'].includes(option))
  )
  const unique = truthy(given.get('unique'))
  const partialTests = partial === null ? [] : readPartialTests(given.get('partialFilterExpression'))
  const expireAfterSeconds = readExpiry(given, fields)
  return { name, key, fields, unique, sparse, partial, partialTests, expireAfterSeconds, specification }
}

/** Whether the keys are the same; 1 of any number type is the same direction. */
export function sameFields(a: IndexDefinition, b: IndexDefinition): boolean {
  const same = ({ path, direction }: IndexField, at: number) =>
    b.fields[at]?.path === path && b.fields[at]?.direction === direction
  return a.fields.length === b.fields.length && a.fields.every(same)
}

/** Whether two definitions describe the same index, names and keys aside. */
export function sameOptions(a: IndexDefinition, b: IndexDefinition): boolean {
  return (
    a.unique === b.unique && a.sparse === b.sparse && a.expireAfterSeconds === b.expireAfterSeconds && samePartial(a, b)
  )
}

/** Whether they hold the same documents. */
export function samePartial(a: IndexDefinition, b: IndexDefinition): boolean {
  return sameDocument(partialOf(a), partialOf(b))
}

function partialOf({ specification }: IndexDefinition): Document {
  return new Map([['partial', specification.get('partialFilterExpression') ?? null]])
}

function readFields(key: Document): IndexField[] {
  if (key.size === 0) throw new CommandError(67, 'Index keys cannot be empty.')
  if (key.size > 32) throw new CommandError(67, 'an index has at most 32 fields')
  return [...key].map(([path, direction]) => {
    if (path === '' || path.split('.').includes(''))
      throw new CommandError(67, 'Index keys cannot contain an empty field.')
    if (path.includes('$')) {
      if (path.endsWith('$**')) throw notImplemented('a wildcard index')
      throw new CommandError(67, `Index key contains an illegal field name: field name starts with '$'.`)
    }
    if (typeof direction === 'string') throw notImplemented(`an index of type '${direction}'`)
    if (!isNumber(direction)) throw new CommandError(67, 'Values in the index key pattern must be numbers')
    const sign = Math.sign(toDouble(direction))
    if (sign !== 1 && sign !== -1) throw new CommandError(67, 'Values in the index key pattern cannot be 0.')
    return { path, parts: path.split('.'), direction: sign }
  })
}

function readPartial(filter: Value | undefined): Condition | null {
  if (filter === undefined) return null
  if (!isDocument(filter)) throw new CommandError(14, "'partialFilterExpression' must be an object")
  return parseFilter(filter)
}

function readExpiry(given: Document, fields: readonly IndexField[]): number | null {
  const seconds = given.get('expireAfterSeconds')
  if (seconds === undefined) return null
  if (!isNumber(seconds)) throw new CommandError(14, "'expireAfterSeconds' must be a number")
  const value = toDouble(seconds)
  if (value < 0 || value > 2 ** 31 - 1)
    throw new CommandError(67, 'TTL index expireAfterSeconds must be between 0 and 2147483647')
  if (fields.length !== 1 || fields[0]?.path === '_id') {
    throw new CommandError(67, 'TTL indexes are single-field indexes, on a field other than _id')
  }
  return value
}
