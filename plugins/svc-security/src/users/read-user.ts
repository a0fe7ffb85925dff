/**
 * Reads a user record of any make. A damaged record loses rights and never gains
 * any: a flag that is no boolean counts as the stricter one. Pure.
 */
import { toUser } from 'svc-kernel'
import type { LoadedUser } from './user-source.ts'

interface GivenRecord {
  readonly id?: unknown
  readonly password?: unknown
  readonly enabled?: unknown
  readonly locked?: unknown
}

/** @returns `null` for what names no user */
export function readUser(record: unknown): LoadedUser | null {
  const identity = toUser(record)
  if (identity === null) return null
  const { id, password, enabled, locked } = record as GivenRecord
  return Object.freeze({
    id: typeof id === 'string' && id !== '' ? id : identity.identifier,
    identifier: identity.identifier,
    roles: identity.roles,
    passwordHash: typeof password === 'string' && password !== '' ? password : null,
    enabled: enabled === undefined || enabled === true,
    locked: locked !== undefined && locked !== false
  })
}
