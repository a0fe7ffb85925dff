/** The journal of the applications without one of their own: a bounded ring of records, one per denied request. */
import type { User } from './accounts.ts'

const CAPACITY = 1000

interface Denial {
  readonly at: number
  readonly action: 'access.denied'
  readonly actor: string
  readonly role: string
  readonly method: string
  readonly path: string
  readonly ip: string
}

const ring: Denial[] = []
let next = 0

export function recordDenial(user: User, role: string, method: string, path: string, ip: string): void {
  ring[next] = { at: Date.now(), action: 'access.denied', actor: user.identifier, role, method, path, ip }
  next = (next + 1) % CAPACITY
}

/** The answer of every application to a denied request: as ours gives it. */
export const DENIED = {
  statusCode: 403,
  code: 'SVC_SEC_DENIED',
  error: 'Forbidden',
  message: 'access denied'
} as const

/** No cache may keep it, or take it for the answer to another caller. */
export const DENIED_HEADERS = { 'cache-control': 'no-store', vary: 'authorization, cookie' } as const
