/**
 * Accepts options that are right, by reading their schema, and fills in the defaults. Most starts are right, and to
 * compile a schema costs more than all else that a start does with it. It says nothing but yes: where a value is wrong,
 * or the schema has a word that is not known here, Ajv decides. What Ajv refuses is never accepted.
 */

type Schema = Readonly<Record<string, unknown>>
type Tree = Record<string, unknown>

/** What texts a format takes. */
export type Formats = Readonly<Record<string, RegExp | ((text: string) => boolean)>>

interface Reading {
  readonly formats: Formats
  /** Whether defaults are filled in; inside a union they are not. */
  readonly completing: boolean
}

/** @returns `true` for a value that is right and now complete; `false` where Ajv has to decide */
export function accepts(schema: Schema, value: unknown, formats: Formats): boolean {
  return holds(schema, value, { formats, completing: true })
}

function holds(schema: unknown, value: unknown, reading: Reading): boolean {
  if (!isTree(schema)) return false
  if (reading.completing && isTree(value) && isTree(schema.properties)) complete(value, schema.properties)
  return Object.entries(schema).every(([word, wanted]) => WORDS.get(word)?.(wanted, value, reading, schema) === true)
}

function complete(value: Tree, properties: Tree): void {
  for (const [key, property] of Object.entries(properties)) {
    const filling = isTree(property) ? property.default : undefined
    if (filling !== undefined && value[key] === undefined) value[key] = structuredClone(filling)
  }
}

type Rule<Value> = (wanted: unknown, value: Value, reading: Reading, schema: Schema) => boolean

/** A word that says something of values of one kind: of others it says nothing. */
function of<Value>(isOfKind: (value: unknown) => value is Value, rule: Rule<Value>): Rule<unknown> {
  return (wanted, value, reading, schema) => !isOfKind(value) || rule(wanted, value, reading, schema)
}

const nothing = (): boolean => true

const WORDS = new Map<string, Rule<unknown>>([
  ['$id', nothing],
  ['default', nothing],
  ['expected', nothing],
  ['type', (wanted, value) => [wanted].flat().some((type) => isOfType(type, value))],
  ['const', (wanted, value) => isPlain(wanted) && wanted === value],
  ['enum', (wanted, value) => Array.isArray(wanted) && wanted.every(isPlain) && wanted.includes(value)],
  [
    'anyOf',
    (wanted, value, reading) =>
      Array.isArray(wanted) && wanted.some((branch) => holds(branch, value, { ...reading, completing: false }))
  ],

  ['minimum', of(isNumber, (wanted, value) => isNumber(wanted) && value >= wanted)],
  ['maximum', of(isNumber, (wanted, value) => isNumber(wanted) && value <= wanted)],

  ['minLength', of(isText, (wanted, value) => isNumber(wanted) && [...value].length >= wanted)],
  ['maxLength', of(isText, (wanted, value) => isNumber(wanted) && [...value].length <= wanted)],
  ['pattern', of(isText, (wanted, value) => isText(wanted) && new RegExp(wanted, 'u').test(value))],
  ['format', of(isText, (wanted, value, { formats }) => isText(wanted) && fits(formats, wanted, value))],

  ['minItems', of(isList, (wanted, value) => isNumber(wanted) && value.length >= wanted)],
  ['maxItems', of(isList, (wanted, value) => isNumber(wanted) && value.length <= wanted)],
  ['items', of(isList, (wanted, value, reading) => value.every((item) => holds(wanted, item, reading)))],
  [
    'contains',
    of(isList, (wanted, value, reading) => value.some((item) => holds(wanted, item, { ...reading, completing: false })))
  ],
  [
    'uniqueItems',
    of(isList, (wanted, value) => wanted === true && value.every(isPlain) && new Set(value).size === value.length)
  ],

  [
    'required',
    of(isTree, (wanted, value) => isList(wanted) && wanted.every((key) => value[String(key)] !== undefined))
  ],
  ['minProperties', of(isTree, (wanted, value) => isNumber(wanted) && Object.keys(value).length >= wanted)],
  ['propertyNames', of(isTree, (wanted, value, reading) => keysOf(value).every((key) => holds(wanted, key, reading)))],
  [
    'properties',
    of(isTree, (wanted, value, reading) =>
      Object.entries(wanted as Tree).every(([key, one]) => value[key] === undefined || holds(one, value[key], reading))
    )
  ],
  [
    'additionalProperties',
    of(isTree, (wanted, value, reading, { properties = {} }) =>
      keysOf(value).every(
        (key) => Object.hasOwn(properties as Tree, key) || (wanted !== false && holds(wanted, value[key], reading))
      )
    )
  ]
])

function fits(formats: Formats, name: string, text: string): boolean {
  const test = Object.hasOwn(formats, name) ? formats[name] : undefined
  return test instanceof RegExp ? test.test(text) : test?.(text) === true
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isTree(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'string':
      return isText(value)
    case 'boolean':
      return value === true || value === false
    default:
      return false
  }
}

/** Inherited keys too, as Ajv reads them. */
function keysOf(value: Tree): string[] {
  const keys: string[] = []
  for (const key in value) keys.push(key)
  return keys
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** Compared by `===`: of trees and lists Ajv compares what is in them. */
function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
