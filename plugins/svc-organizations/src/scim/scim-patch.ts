/**
 * PATCH of SCIM (RFC 7644, 3.5.2), as Entra and Okta really send it: operations in any case, `False` as a text, no path with an
 * object whose keys are paths, and values that are removed by a list instead of a filter. Pure: gives a new resource.
 */
import { ScimError } from './scim-error.ts'
import { fieldOf, matches, namesOf, readPath, type ScimPath } from './scim-filter.ts'

export type ScimResource = Record<string, unknown>

const MOST_OPERATIONS = 1000

/** Attributes that are lists of objects with a `value`. */
const LISTS = [
  'emails',
  'phonenumbers',
  'addresses',
  'ims',
  'photos',
  'roles',
  'entitlements',
  'members',
  'x509certificates'
]

/** @throws ScimError (400) */
export function patched(resource: Readonly<ScimResource>, body: unknown): ScimResource {
  const operations = fieldOf(body, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MOST_OPERATIONS) {
    throw new ScimError(400, `Operations must be a list of 1 to ${MOST_OPERATIONS}`, 'invalidSyntax')
  }
  const after = structuredClone(resource) as ScimResource
  for (const operation of operations) apply(after, operation)
  return after
}

function apply(resource: ScimResource, operation: unknown): void {
  const op = String(fieldOf(operation, 'op')).toLowerCase()
  const path = fieldOf(operation, 'path')
  const value = fieldOf(operation, 'value')
  if (!['add', 'replace', 'remove'].includes(op)) {
    throw new ScimError(400, 'op must be add, replace or remove', 'invalidSyntax')
  }
  if (typeof path === 'string' && path !== '') {
    change(resource, op, readPath(path), value)
    return
  }
  if (op === 'remove') throw new ScimError(400, 'remove needs a path', 'noTarget')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScimError(400, 'an operation without a path needs an object as its value', 'invalidValue')
  }
  for (const [key, each] of Object.entries(value)) {
    if (key.toLowerCase() === 'schemas') continue
    change(resource, op, key.includes('[') ? readPath(key) : { names: namesOf(key), filter: null, sub: null }, each)
  }
}

function change(resource: ScimResource, op: string, { names, filter, sub }: ScimPath, value: unknown): void {
  const last = names.at(-1)
  if (last === undefined || names.some((name) => name === '' || name === '__proto__')) {
    throw new ScimError(400, 'the path names nothing', 'invalidPath')
  }
  let at = resource
  for (const name of names.slice(0, -1)) {
    const key = keyOf(at, name)
    if (typeof at[key] !== 'object' || at[key] === null || Array.isArray(at[key])) {
      if (op === 'remove') return
      at[key] = {}
    }
    at = at[key] as ScimResource
  }
  const key = keyOf(at, last)
  if (filter !== null) changeItems(at, key, op, { names, filter, sub }, value)
  else if (op === 'remove') removeFrom(at, key, value)
  else set(at, key, op, value)
}

function set(at: ScimResource, key: string, op: string, value: unknown): void {
  if (LISTS.includes(key.toLowerCase())) {
    const given = listOf(value)
    const held = op === 'replace' ? [] : listOf(at[key])
    const fresh = given.filter((each) => !held.some((one) => same(one, each)))
    at[key] = [...held, ...fresh]
  } else if (isPlain(value) && isPlain(at[key])) {
    for (const [name, each] of Object.entries(value))
      (at[key] as ScimResource)[keyOf(at[key] as ScimResource, name)] = each
  } else at[key] = value
}

/** Entra and older clients name what they remove by a list of values. */
function removeFrom(at: ScimResource, key: string, value: unknown): void {
  if (value === undefined || value === null || !Array.isArray(at[key])) delete at[key]
  else at[key] = listOf(at[key]).filter((held) => !listOf(value).some((each) => same(held, each)))
}

function changeItems(
  at: ScimResource,
  key: string,
  op: string,
  { filter, sub }: ScimPath & { readonly filter: NonNullable<ScimPath['filter']> },
  value: unknown
): void {
  const items = listOf(at[key])
  const chosen = items.filter((item) => matches(filter, item))
  if (op === 'remove') {
    if (sub === null) at[key] = items.filter((item) => !chosen.includes(item))
    else for (const item of chosen) delete (item as ScimResource)[keyOf(item as ScimResource, sub)]
    return
  }
  if (chosen.length === 0) {
    // Entra sets `emails[type eq "work"].value` of a user without one.
    if (filter.kind !== 'compare' || filter.op !== 'eq')
      throw new ScimError(400, 'no value meets the filter', 'noTarget')
    const made: ScimResource = { [filter.path[0] as string]: filter.value }
    at[key] = [...items, made]
    chosen.push(made)
  }
  for (const item of chosen as ScimResource[]) {
    if (sub !== null) item[keyOf(item, sub)] = value
    else if (isPlain(value)) Object.assign(item, value)
    else item.value = value
  }
}

/** The key that is there, whatever its case. */
function keyOf(resource: ScimResource, name: string): string {
  return Object.keys(resource).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name
}

function listOf(value: unknown): unknown[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return list.map((each) => (typeof each === 'string' ? { value: each } : each))
}

function isPlain(value: unknown): value is ScimResource {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function same(one: unknown, other: unknown): boolean {
  const [left, right] = [fieldOf(one, 'value'), fieldOf(other, 'value')]
  return (
    left !== undefined &&
    left === right &&
    (fieldOf(one, 'type') ?? null) === (fieldOf(other, 'type') ?? fieldOf(one, 'type') ?? null)
  )
}

/** `true`, `"True"` and the like. @throws ScimError (400, invalidValue) */
export function readFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  const text = String(value).toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ScimError(400, `${name} must be true or false`, 'invalidValue')
}
