/** What changed between two OpenAPI documents of an API, and whether a client that was written for the first breaks. Pure. */
import { breakingChanges, type Direction } from './compare-schemas.ts'
import {
  type Content,
  type ListedOperation,
  type OpenapiDocument,
  operationsOf,
  type Parameter,
  resolved
} from './document.ts'

export interface ApiChange {
  readonly breaking: boolean
  /** Such as `GET /api/orders/{id}`. */
  readonly operation: string
  /** Where in the operation; empty for the whole of it. */
  readonly at: string
  readonly text: string
}

interface Pair {
  readonly before: OpenapiDocument
  readonly after: OpenapiDocument
  readonly was: ListedOperation
  readonly is: ListedOperation
}

type Found = Omit<ApiChange, 'operation'>

/** Breaking changes first; within that in the order of the documents. */
export function compareDocuments(before: OpenapiDocument, after: OpenapiDocument): ApiChange[] {
  const now = new Map(operationsOf(after).map((listed) => [keyOf(listed), listed]))
  const changes: ApiChange[] = []
  for (const was of operationsOf(before)) {
    const is = now.get(keyOf(was))
    now.delete(keyOf(was))
    const found = is === undefined ? [{ breaking: true, at: '', text: 'is gone' }] : changed({ before, after, was, is })
    changes.push(...found.map((change) => ({ ...change, operation: nameOf(was) })))
  }
  const added = [...now.values()].map((is) => ({ breaking: false, operation: nameOf(is), at: '', text: 'is new' }))
  return [...changes, ...added].sort((one, other) => Number(other.breaking) - Number(one.breaking))
}

function changed(pair: Pair): Found[] {
  return [...changedParameters(pair), ...changedBody(pair), ...changedResponses(pair), ...changedSecurity(pair)]
}

function changedParameters({ before, after, was, is }: Pair): Found[] {
  const [old, now] = [parametersOf(before, was), parametersOf(after, is)]
  const found: Found[] = []
  for (const [key, one] of old) {
    const other = now.get(key)
    const at = `${one.in} ${one.name}`
    if (other === undefined) found.push({ breaking: true, at, text: 'is no longer read' })
    else {
      if (other.required === true && one.required !== true) found.push({ breaking: true, at, text: 'is required' })
      found.push(...changedSchema([before, after], [one, other], at, 'request'))
    }
  }
  for (const [key, { required = false, ...one }] of now) {
    if (old.has(key)) continue
    found.push({ breaking: required, at: `${one.in} ${one.name}`, text: required ? 'is new, and required' : 'is new' })
  }
  return found
}

/** By place and name; those of the path by their place in it, as their names are not sent. */
function parametersOf(document: OpenapiDocument, { path, operation }: ListedOperation): Map<string, Parameter> {
  const places = [...path.matchAll(PLACE)].map(([, name]) => name)
  const list = (operation.parameters ?? []).map((parameter) => resolved(document, parameter))
  return new Map(
    list.map((one) => [one.in === 'path' ? `path ${places.indexOf(one.name)}` : `${one.in} ${one.name}`, one])
  )
}

function changedBody({ before, after, was, is }: Pair): Found[] {
  const old = was.operation.requestBody && resolved(before, was.operation.requestBody)
  const now = is.operation.requestBody && resolved(after, is.operation.requestBody)
  if (now === undefined) return old === undefined ? [] : [{ breaking: true, at: 'body', text: 'is no longer read' }]
  const must = now.required === true && old?.required !== true
  return [
    ...(must ? [{ breaking: true, at: 'body', text: 'is required' }] : []),
    ...(old === undefined ? [] : changedContent([before, after], [old, now], 'body', 'request'))
  ]
}

function changedResponses({ before, after, was, is }: Pair): Found[] {
  const [old, now] = [was.operation.responses ?? {}, is.operation.responses ?? {}]
  const found: Found[] = []
  for (const [status, response] of Object.entries(old)) {
    const at = `response ${status}`
    const other = now[status]
    // A refusal that no longer happens breaks nobody.
    if (other === undefined) found.push({ breaking: status.startsWith('2'), at, text: 'is gone' })
    else {
      const pair = [resolved(before, response), resolved(after, other)] as const
      found.push(...changedContent([before, after], pair, at, 'response'))
    }
  }
  const added = Object.keys(now).filter((status) => !(status in old))
  return [...found, ...added.map((status) => ({ breaking: false, at: `response ${status}`, text: 'is new' }))]
}

type Both<Value> = readonly [before: Value, after: Value]

function changedContent(documents: Both<OpenapiDocument>, [old, now]: Both<Content>, at: string, direction: Direction) {
  const found: Found[] = []
  for (const [type, media] of Object.entries(old.content ?? {})) {
    const other = now.content?.[type]
    if (other === undefined) found.push({ breaking: true, at, text: `${type} is gone` })
    else found.push(...changedSchema(documents, [media, other], at, direction))
  }
  return found
}

function changedSchema(
  [before, after]: Both<OpenapiDocument>,
  [{ schema: old }, { schema: now }]: Both<Pick<Parameter, 'schema'>>,
  at: string,
  direction: Direction
): Found[] {
  // Nothing was known of it before, and nothing is said of it now.
  if (old === undefined || now === undefined) return []
  const changes = breakingChanges({ document: before, schema: old }, { document: after, schema: now }, direction)
  return changes.map((change) => ({ breaking: true, at: `${at} ${change.at}`.trim(), text: change.text }))
}

function changedSecurity({ was, is }: Pair): Found[] {
  const [old, now] = [proofsOf(was), proofsOf(is)]
  const lost = old.filter((one) => !now.some((other) => asksNoMore(other, one)))
  const found: Found[] = lost.map((proof) => ({
    breaking: true,
    at: 'security',
    text: `${shown(proof)} is not enough`
  }))
  const [guard, before] = [is.operation['x-guard'], was.operation['x-guard']]
  if (guard === before || guard === undefined) return found
  const text = before === undefined ? `requires ${guard}` : `requires ${guard}, required ${before}`
  return [...found, { breaking: before === undefined, at: 'guard', text }]
}

type Proof = Readonly<Record<string, readonly string[]>>

/** Without any the operation is open: an empty proof is enough. */
function proofsOf({ operation: { security } }: ListedOperation): readonly Proof[] {
  return security === undefined || security.length === 0 ? [{}] : security
}

function asksNoMore(proof: Proof, than: Proof): boolean {
  return Object.entries(proof).every(
    ([scheme, scopes]) => scopes.every((scope) => than[scheme]?.includes(scope)) && scheme in than
  )
}

function shown(proof: Proof): string {
  const schemes = Object.entries(proof).map(([name, scopes]) =>
    scopes.length > 0 ? `${name} (${scopes.join(', ')})` : name
  )
  return schemes.length === 0 ? 'no proof' : schemes.join(' and ')
}

const PLACE = /\{([^}]+)\}/g

/** Names in a path are not sent: `/orders/{id}` and `/orders/{order}` are one. */
function keyOf({ method, path }: ListedOperation): string {
  return `${method} ${path.replace(PLACE, '{}')}`
}

function nameOf({ method, path }: ListedOperation): string {
  return `${method} ${path}`
}
