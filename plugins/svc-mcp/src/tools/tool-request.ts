/** The request that a call of a tool makes: its arguments in the path, the query and the body of the route. Pure. */
import { InvalidArguments } from '../errors.ts'
import { type PathParameter, REPEAT_KEY, type ToolInput } from './tool-input.ts'

export interface ToolRequest {
  /** Path and query, percent-encoded. */
  readonly url: string
  /** JSON text; `null` without a body. */
  readonly body: string | null
  /** What the caller names the call by. */
  readonly repeatKey: string | null
}

type Values = Record<string, unknown>

/** @throws InvalidArguments for a name that the tool does not have, and a value that its path or query cannot have */
export function toolRequest(input: ToolInput, given: Readonly<Values>): ToolRequest {
  const filled = new FilledRequest(input)
  for (const argument of Object.keys(given)) filled.put(argument, given[argument])
  const path = filledPath(input.path, filled.params)
  const search = filled.query === null ? '' : `?${filled.query}`
  const body = filled.body === undefined ? null : JSON.stringify(filled.body)
  return { url: `${path}${search}`, body, repeatKey: filled.repeatKey }
}

class FilledRequest {
  readonly params: Values = {}
  query: URLSearchParams | null = null
  body: unknown
  repeatKey: string | null = null
  readonly #input: ToolInput

  constructor(input: ToolInput) {
    this.#input = input
  }

  put(argument: string, value: unknown): void {
    const place = this.#input.places.get(argument)
    if (place === undefined) this.#putFurther(argument, value)
    else if (place.key === null) this.body = value
    else if (place.part === 'body') this.#putInBody(place.key, value)
    else if (place.part === 'params') define(this.params, place.key, value)
    else this.#putInQuery(place.key, queryTexts(argument, value))
  }

  #putFurther(argument: string, value: unknown): void {
    if (argument === REPEAT_KEY && isKey(value)) this.repeatKey = value
    else if (this.#input.openBody) this.#putInBody(argument, value)
    else throw new InvalidArguments(`${argument} is not an argument of this tool`)
  }

  #putInQuery(key: string, texts: readonly string[]): void {
    for (const text of texts) {
      this.query ??= new URLSearchParams()
      this.query.append(key, text)
    }
  }

  #putInBody(key: string, value: unknown): void {
    this.body ??= {}
    define(this.body as Values, key, value)
  }
}

/** `__proto__` is a name like any other. */
function define(target: Values, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

const KEY = /^[\x21-\x7e]{1,255}$/

function isKey(value: unknown): value is string {
  if (typeof value === 'string' && KEY.test(value)) return true
  throw new InvalidArguments(`${REPEAT_KEY} must be 1 to 255 printable characters without spaces`)
}

function filledPath(parts: ToolInput['path'], params: Readonly<Values>): string {
  let path = ''
  for (const part of parts) path += typeof part === 'string' ? part : parameterText(part, params)
  return path
}

function parameterText({ name, optional }: PathParameter, params: Readonly<Values>): string {
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  if (value === undefined && optional) return ''
  if (!isScalar(value) || value === '') throw new InvalidArguments(`${name} must be a text or a number`)
  return encodeURIComponent(String(value))
}

function queryTexts(argument: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  const values = Array.isArray(value) ? value : [value]
  if (!values.every(isScalar))
    throw new InvalidArguments(`${argument} must be a text, a number, true or false, or a list of these`)
  return values.map(String)
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
