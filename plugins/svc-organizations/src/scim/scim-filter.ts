/**
 * Filters of SCIM (RFC 7644, 3.4.2.2): comparisons, `and`, `or`, `not`, parentheses, and filters of values in brackets. Names
 * and texts are compared without case, but for `id` and `externalId`. Pure.
 */
import { ScimError } from './scim-error.ts'

export type ScimFilter =
  | { readonly kind: 'compare'; readonly path: readonly string[]; readonly op: string; readonly value: unknown }
  | { readonly kind: 'and' | 'or'; readonly of: readonly [ScimFilter, ScimFilter] }
  | { readonly kind: 'not'; readonly of: ScimFilter }
  | { readonly kind: 'some'; readonly path: readonly string[]; readonly of: ScimFilter }

/** A path of PATCH: `members[value eq "1"].display`. */
export interface ScimPath {
  readonly names: readonly string[]
  readonly filter: ScimFilter | null
  readonly sub: string | null
}

const TOKEN =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|([A-Za-z][\w.:$-]*)|(\.[A-Za-z]\w*))/y
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']
const LONGEST = 2000
const DEEPEST = 20

/** @throws ScimError (400, invalidFilter) */
export function readFilter(text: string): ScimFilter {
  const reader = new Reader(text, 'invalidFilter')
  const filter = reader.either(0)
  reader.end()
  return filter
}

/** @throws ScimError (400, invalidPath) */
export function readPath(text: string): ScimPath {
  const reader = new Reader(text, 'invalidPath')
  const names = namesOf(reader.take('name'))
  if (!reader.skip('[')) {
    reader.end()
    return { names, filter: null, sub: null }
  }
  const filter = reader.either(0)
  reader.expect(']')
  const sub = reader.isAtEnd ? null : reader.take('sub').slice(1)
  reader.end()
  return { names, filter, sub }
}

/** `urn:…:User:name.givenName` without its schema; an extension stays one name. */
export function namesOf(text: string): string[] {
  if (!/^urn:/i.test(text)) return text.split('.')
  const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):(.+)$/i.exec(text)
  if (core !== null) return (core[1] as string).split('.')
  const extension = /^(urn:.+:2\.0:User)(?::(.+))?$/i.exec(text)
  if (extension === null) return [text]
  return [extension[1] as string, ...(extension[2]?.split('.') ?? [])]
}

type Kind = 'name' | 'text' | 'number' | 'sub' | 'mark'

class Reader {
  readonly #tokens: { readonly kind: Kind; readonly text: string }[] = []
  readonly #fault: 'invalidFilter' | 'invalidPath'
  #at = 0

  constructor(text: string, fault: 'invalidFilter' | 'invalidPath') {
    this.#fault = fault
    if (text.length > LONGEST) throw this.#refusal(`it is longer than ${LONGEST} characters`)
    TOKEN.lastIndex = 0
    while (text.slice(TOKEN.lastIndex).trim() !== '') {
      const from = TOKEN.lastIndex
      const match = TOKEN.exec(text)
      if (match === null) throw this.#refusal(`nothing is understood from character ${from + 1} on`)
      const [, mark, quoted, number, name] = match
      const kind = mark ? 'mark' : quoted ? 'text' : number ? 'number' : name ? 'name' : 'sub'
      this.#tokens.push({ kind, text: match[0].trim() })
    }
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  either(depth: number): ScimFilter {
    if (depth > DEEPEST) throw this.#refusal('it is too deep')
    let left = this.#both(depth)
    while (this.#word('or')) left = { kind: 'or', of: [left, this.#both(depth)] }
    return left
  }

  #both(depth: number): ScimFilter {
    let left = this.#one(depth)
    while (this.#word('and')) left = { kind: 'and', of: [left, this.#one(depth)] }
    return left
  }

  #one(depth: number): ScimFilter {
    if (this.skip('(')) return this.#closed(depth)
    const word = this.take('name')
    if (word.toLowerCase() === 'not' && this.skip('(')) return { kind: 'not', of: this.#closed(depth) }
    const path = namesOf(word)
    if (this.skip('[')) {
      const of = this.either(depth + 1)
      this.expect(']')
      // Entra asks for `emails[type eq "work"].value eq "…"`: of one item, both.
      if (this.#tokens[this.#at]?.kind !== 'sub') return { kind: 'some', path, of }
      return { kind: 'some', path, of: { kind: 'and', of: [of, this.#comparison([this.take('sub').slice(1)])] } }
    }
    return this.#comparison(path)
  }

  #comparison(path: readonly string[]): ScimFilter {
    const op = this.take('name').toLowerCase()
    if (op === 'pr') return { kind: 'compare', path, op, value: null }
    if (!OPERATORS.includes(op)) throw this.#refusal(`"${op}" is no operator`)
    return { kind: 'compare', path, op, value: this.#value() }
  }

  #closed(depth: number): ScimFilter {
    const filter = this.either(depth + 1)
    this.expect(')')
    return filter
  }

  #value(): unknown {
    const token = this.#tokens[this.#at]
    this.#at += 1
    const text = token?.kind === 'name' ? token.text.toLowerCase() : token?.text
    try {
      if (text !== undefined && token?.kind !== 'mark') return JSON.parse(text)
    } catch {
      // Said below.
    }
    throw this.#refusal('a value is missing: a text in double quotes, a number, true, false or null')
  }

  #word(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'name' || token.text.toLowerCase() !== word) return false
    this.#at += 1
    return true
  }

  skip(mark: string): boolean {
    if (this.#tokens[this.#at]?.kind !== 'mark' || this.#tokens[this.#at]?.text !== mark) return false
    this.#at += 1
    return true
  }

  expect(mark: string): void {
    if (!this.skip(mark)) throw this.#refusal(`"${mark}" is missing`)
  }

  take(kind: Kind): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== kind)
      throw this.#refusal(token === undefined ? 'it ends too early' : `"${token.text}" is unexpected`)
    this.#at += 1
    return token.text
  }

  end(): void {
    if (!this.isAtEnd) throw this.#refusal(`"${this.#tokens[this.#at]?.text}" is unexpected`)
  }

  #refusal(why: string): ScimError {
    return new ScimError(
      400,
      `${this.#fault === 'invalidFilter' ? 'the filter' : 'the path'} is not valid: ${why}`,
      this.#fault
    )
  }
}

type Json = Readonly<Record<string, unknown>>

/** A field whatever its case. */
export function fieldOf(resource: unknown, name: string): unknown {
  if (typeof resource !== 'object' || resource === null) return undefined
  const key = Object.keys(resource).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : (resource as Json)[key]
}

/** The values at a path; of a list, those of each item. */
function valuesAt(resource: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path
  const items = Array.isArray(resource) ? resource : [resource]
  if (name === undefined) return items
  return items.flatMap((item) => valuesAt(fieldOf(item, name), rest))
}

export function matches(filter: ScimFilter, resource: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((each) => matches(each, resource))
    case 'or':
      return filter.of.some((each) => matches(each, resource))
    case 'not':
      return !matches(filter.of, resource)
    case 'some':
      return valuesAt(resource, filter.path).some((item) => matches(filter.of, item))
    default: {
      const { path, op, value } = filter
      // `emails eq "…"` asks for the value of each.
      const found = valuesAt(resource, path).map((each) => (isObject(each) ? fieldOf(each, 'value') : each))
      const exact = ['id', 'externalid'].includes((path.at(-1) ?? '').toLowerCase())
      if (op === 'ne') return !found.some((each) => compares(each, 'eq', value, exact))
      return found.some((each) => compares(each, op, value, exact))
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function compares(held: unknown, op: string, asked: unknown, exact: boolean): boolean {
  if (op === 'pr') return held !== undefined && held !== null && held !== ''
  if (held === undefined || held === null) return op === 'eq' && asked === null
  // Entra asks for `active eq "True"`.
  const wanted = typeof held === 'boolean' && typeof asked === 'string' ? asked.toLowerCase() === 'true' : asked
  const [left, right] = exact ? [held, wanted] : [folded(held), folded(wanted)]
  if (op === 'eq') return left === right
  if (typeof left === 'string' && typeof right === 'string') return TEXTS[op]?.(left, right) ?? ordered(left, op, right)
  return typeof left === 'number' && typeof right === 'number' && ordered(left, op, right)
}

const TEXTS: Readonly<Record<string, (left: string, right: string) => boolean>> = {
  co: (left, right) => left.includes(right),
  sw: (left, right) => left.startsWith(right),
  ew: (left, right) => left.endsWith(right)
}

function folded(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function ordered<Value extends string | number>(left: Value, op: string, right: Value): boolean {
  if (op === 'gt') return left > right
  if (op === 'ge') return left >= right
  if (op === 'lt') return left < right
  return op === 'le' && left <= right
}
