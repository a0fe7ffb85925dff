/**
 * The identity a controller sees: who, and with which roles. Never a
 * credential, a hash or a record: `toUser` copies the two fields and freezes.
 */
import { newBrand } from './brand.ts'

/** An authenticated (or anonymous) identity. Spec: "Identity, users, tokens". */
export interface User {
  /** Unique login of the subject, non-empty. */
  readonly identifier: string
  /** Roles as assigned, before the hierarchy is applied. */
  readonly roles: readonly string[]
}

const users = newBrand()

/** The one anonymous user of the process, shared and frozen. */
export const ANONYMOUS: User = made({ identifier: 'anonymous', roles: Object.freeze([]) })

/**
 * Reduces any user record to its identity.
 *
 * @returns a frozen `{identifier, roles}`, or `null` when the record has no usable identifier.
 * Roles that are not strings are left out: a damaged record may lose rights, never gain any.
 */
export function toUser(record: unknown): User | null {
  if (typeof record !== 'object' || record === null) return null
  if (users.bears(record)) return record as User
  const identifier = readField(record, 'identifier')
  const roles = readField(record, 'roles')
  if (typeof identifier !== 'string' || identifier === '') return null
  return made({
    identifier,
    roles: Object.freeze(Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [])
  })
}

function made(user: User): User {
  users.mark(user)
  return Object.freeze(user)
}

/**
 * Reads a field of an object that came from elsewhere: its own or its class's,
 * but never one planted on Object.prototype. A polluted prototype
 * must not give roles, scopes or a name to a record without them.
 */
export function readField(from: object, name: string): unknown {
  if (Object.hasOwn(Object.prototype, name) && !inheritsBelowRoot(from, name)) return undefined
  return (from as Record<string, unknown>)[name]
}

function inheritsBelowRoot(from: object, name: string): boolean {
  for (let level: object | null = from; level !== null; level = Object.getPrototypeOf(level) as object | null) {
    if (level !== Object.prototype && Object.hasOwn(level, name)) return true
  }
  return false
}
