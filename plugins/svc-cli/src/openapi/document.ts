/** The parts of an OpenAPI 3.1 document that the commands read, and its references. */

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema?: Schema
}

export interface Content {
  readonly required?: boolean
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
  readonly security?: ReadonlyArray<Readonly<Record<string, readonly string[]>>>
  readonly 'x-guard'?: string
}

export interface OpenapiDocument {
  readonly openapi: string
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** JSON Schema 2020-12; `true` and `false` are written out as `{}` and `{ not: {} }`. */
export type Schema = Readonly<Record<string, unknown>>

export interface ListedOperation {
  /** In capitals. */
  readonly method: string
  readonly path: string
  /** Where it is in the document: a JSON Pointer. */
  readonly pointer: string
  readonly operation: Operation
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

export function operationsOf({ paths = {} }: OpenapiDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        pointer: `/paths/${escaped(path)}/${method}`,
        operation
      }))
  )
}

/** What a reference names; a value without one is the answer itself. */
export function resolved<Value extends object>(document: OpenapiDocument, value: Value): Value {
  let found: unknown = value
  // A reference to a reference is allowed; a circle of them says nothing.
  for (let steps = 0; steps < 32; steps += 1) {
    const ref = (found as { $ref?: unknown } | null)?.$ref
    if (typeof ref !== 'string' || !ref.startsWith('#')) return found as Value
    found = ref.slice(1).split('/').slice(1).map(unescaped).reduce<unknown>(member, document)
  }
  return {} as Value
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? ((value as Record<string, unknown>)[name] ?? {}) : {}
}

/** As one part of a JSON Pointer (RFC 6901). */
export function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescaped(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}
