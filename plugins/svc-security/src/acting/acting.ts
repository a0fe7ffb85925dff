/**
 * As whom a session acts: kept in its `meta`, where no code of the application writes, and so on every instance and no longer
 * than the session of the one who acts. What cannot be read acts as nobody, and lets in nowhere. Pure.
 */
import type { AccessToken } from 'svc-kernel'
import type { JsonObject } from 'svc-stores'

export interface Acting {
  /** Identifier of the user. */
  readonly user: string
  /** As given at the beginning. */
  readonly reason: string
  /** Whether it may make changes. */
  readonly write: boolean
  /** Epoch ms, both. */
  readonly since: number
  readonly until: number
}

const UNREADABLE: Acting = Object.freeze({ user: '', reason: '', write: false, since: 0, until: 0 })

/** @returns `null` for a session that acts as its own user */
export function actingOf({ meta: { acting } }: { readonly meta: JsonObject }): Acting | null {
  if (acting === undefined || acting === null) return null
  if (typeof acting !== 'object' || Array.isArray(acting)) return UNREADABLE
  const { user, reason, write, since, until } = acting as JsonObject
  const isRead = typeof user === 'string' && typeof reason === 'string' && typeof write === 'boolean'
  if (!isRead || typeof since !== 'number' || typeof until !== 'number') return UNREADABLE
  return { user, reason, write, since, until }
}

/** What the token of an impersonation says of it. */
export interface ImpersonationTrait {
  readonly write: boolean
  /** Why it holds no longer; `null` while it does. */
  readonly over: string | null
}

/** Own property only, as for whatever decides on rights; a trait that cannot be read is over. */
export function impersonationOf(token: AccessToken | null): ImpersonationTrait | null {
  if (token === null || !Object.hasOwn(token, 'impersonation')) return null
  const { write, over } = (token.impersonation ?? {}) as Partial<ImpersonationTrait>
  const isHeld = over === null
  return { write: isHeld && write === true, over: isHeld ? null : String(over ?? 'unreadable') }
}
