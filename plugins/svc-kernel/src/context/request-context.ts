/**
 * The ambient context: the request itself, carried by AsyncLocalStorage, so
 * that any code below a request can ask who is calling. Entered by `run` only;
 * `enterWith` was measured to lose the identity after an await.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import type { AccessToken } from '../identity/access-token.ts'
import { ANONYMOUS, type User } from '../identity/user.ts'
import './tick-shape.ts'

const storage = new AsyncLocalStorage<FastifyRequest>()

/** Runs `work` with `request` as the ambient request: once per HTTP request, once per WebSocket message. */
export function runInContext<T>(request: FastifyRequest, work: () => T): T {
  return storage.run(request, work)
}

/** The request being served, or `undefined` outside of any. */
export function currentRequest(): FastifyRequest | undefined {
  return storage.getStore()
}

/** The caller of the request being served; the anonymous user where nobody proved anything. */
export function currentUser(): User {
  return storage.getStore()?.user ?? ANONYMOUS
}

/** The caller's token, or `null` where the firewall resolved none. */
export function currentToken(): AccessToken | null {
  return storage.getStore()?.token ?? null
}
