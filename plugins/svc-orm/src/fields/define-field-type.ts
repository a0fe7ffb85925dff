/**
 * Field types of an application's own. A definition has the object in place of a name, so types of rows follow from it;
 * migrations, which have names only, find it here.
 */
import { BootError, type Problem } from 'svc-kernel'
import { isRecord } from 'svc-stores/table'
import { ofTexts, same } from './conversions.ts'
import type { Conversions, FieldTypeDefinition, Setting } from './field-type.ts'
import { BUILT_IN, type FieldType } from './field-types.ts'

/** The built-in type of the same column: what an own type is like, unless it says otherwise. */
const PLAIN = {
  ...{ text: 'string', integer: 'integer', bigint: 'bigint', float: 'float', boolean: 'boolean' },
  ...{ date: 'date', json: 'json', bytes: 'bytes' }
} as const satisfies Record<string, FieldType>

/**
 * A field type of your own.
 *
 * `Value` is what rows have. `read` makes a value of the column from everything that is given: by a repository, a
 * request, a default, and from what `fromStored` returns.
 */
export interface OwnFieldType<Value> {
  /** Lower-case letters, digits and `-`; not the name of a built-in type. Migrations have it. */
  readonly name: string
  /** The type of its column. */
  readonly storage: keyof typeof PLAIN
  /**
   * Reads a value: text of a `text` column, a number of `integer` and `float`, a `bigint`, a boolean, a `Date`, JSON or a
   * `Uint8Array`.
   *
   * @returns `undefined` if it is none; never throws
   */
  read(given: unknown): unknown
  /** Makes the value of a row from that of the column. Default: they are the same. */
  fromStored?(stored: never): Value
  /** What `read` accepts, for messages: `a whole number from 0 to 100`. */
  readonly expected: string
  /**
   * What `read` accepts of JSON, as JSON Schema (draft 7). With the name of the type as `format`, `read` checks the text
   * of requests.
   */
  readonly schema: Readonly<Record<string, unknown>>
  /** Which of `min`, `max`, `maxLength`, `minLength` and `pattern` a definition may use. Default: none. */
  readonly takes?: readonly (typeof TAKEN)[number][]
  /**
   * What its values can do. Default: `compare`, `order` and `default`, except for `json` and `bytes`. `add` needs a column
   * of numbers, `search` a column of text.
   */
  readonly can?: Partial<FieldTypeDefinition['can']>
  /**
   * Makes a value of the column from one of another type, by the name of that type, for migrations. Text and JSON are
   * read, and values of the plain type of the column stay, unless it says otherwise.
   */
  readonly from?: Conversions
  /** Its type in DBML. Default: that of the plain type of its column. */
  readonly dbml?: string
}

const TAKEN = ['min', 'max', 'maxLength', 'minLength', 'pattern'] as const satisfies readonly Setting[]
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Kept by migrations, so never one of a plain type. */
const own = new Map<string, FieldTypeDefinition>()
const made = new WeakSet<object>()

/** @throws BootError SVC_ENTITY_TYPE with everything that is wrong with it */
export function defineFieldType<Value, Given = Value>(given: OwnFieldType<Value>): FieldTypeDefinition<Value, Given> {
  const problems = faultsOf(given).map(
    ([what, expected]): Problem => ({
      code: 'SVC_ENTITY_TYPE',
      message: `field type ${String(given.name)}: ${what}`,
      expected,
      fix: 'correct the object given to defineFieldType'
    })
  )
  if (problems.length > 0) throw new BootError(problems)
  const { name, storage, read, fromStored, expected, schema, takes = [], from = {}, dbml } = given
  const plain = BUILT_IN[PLAIN[storage]]
  const type: FieldTypeDefinition<Value, Given> = Object.freeze({
    name,
    storage,
    takes,
    ...(fromStored === undefined && { like: plain.name }),
    narrow: true,
    can: Object.freeze({ ...plain.can, add: false, search: false, ...given.can }),
    from: { ...ofTexts(given.read), json: given.read, [plain.name]: same, [name]: same, ...from },
    ...(plain.noList !== undefined && { noList: plain.noList }),
    ...(schema.format !== undefined && { format: { name, expected } }),
    // What every database keeps, the plain type knows.
    read: (value: unknown) => plain.read(read(value), {}),
    ...(fromStored !== undefined && { fromStored: (stored: unknown) => fromStored(stored as never) }),
    expected: () => expected,
    schema: () => schema,
    dbml: dbml === undefined ? plain.dbml : () => dbml
  })
  own.set(name, type)
  made.add(type)
  return type
}

/** Whether `defineFieldType` made it. */
export function isOwnFieldType(type: unknown): type is FieldTypeDefinition {
  return made.has(type as object)
}

/** By its name, as migrations have it; the last one of that name. @returns `undefined` for a type that no code defines */
export function fieldTypeNamed(name: string): FieldTypeDefinition | undefined {
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name as FieldType] : own.get(name)
}

/** Each with what was expected. */
function faultsOf(given: OwnFieldType<unknown>): (readonly [fault: string, expected: string])[] {
  const { name, storage, read, expected, schema, takes = [], can = {}, from = {} } = given
  const { format } = schema ?? {}
  const storages = Object.keys(PLAIN).join(' | ')
  const isNumeric = ['integer', 'bigint', 'float'].includes(storage)
  const checks: (readonly [isFine: boolean, fault: string, expected: string])[] = [
    [typeof name === 'string' && NAME.test(name), 'the name has another form', 'lower-case letters, digits and -'],
    [!Object.hasOwn(BUILT_IN, String(name)), 'the name is that of a built-in type', 'another name'],
    [Object.hasOwn(PLAIN, String(storage)), `the storage is ${String(storage)}`, storages],
    [typeof read === 'function', 'read is missing', 'a function that returns the value of the column, or undefined'],
    [typeof expected === 'string' && expected !== '', 'expected is missing', 'what read accepts, for messages'],
    [isRecord(schema), 'schema is missing', 'the JSON Schema of a value'],
    [[undefined, name].includes(format as string), `schema.format is ${String(format)}`, `${String(name)}, or none`],
    [takes.every((each) => TAKEN.includes(each)), `takes has ${takes.join(', ')}`, TAKEN.join(' | ')],
    [
      can.add !== true || isNumeric,
      `can.add is for numbers, and the storage is ${storage}`,
      'integer | bigint | float'
    ],
    [can.search !== true || storage === 'text', `can.search is for text, and the storage is ${storage}`, 'text'],
    [can.order !== true || can.compare !== false, 'can.order needs can.compare', 'both, or neither'],
    [Object.values(from).every((each) => typeof each === 'function'), 'from has what is no function', 'functions']
  ]
  return checks.filter(([isFine]) => !isFine).map(([, fault, wanted]) => [fault, wanted] as const)
}
