/**
 * The request context: AsyncLocalStorage carries the request, so that any code below it can ask who is calling. Only
 * `run` enters it, because `enterWith` lost the identity after an await.
 */
import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import { type AccessToken, ANONYMOUS, type User } from '../identity/identity.ts'

const storage = new AsyncLocalStorage<FastifyRequest>()

/** Runs `work` in the context of `request`: once per HTTP request, and once per WebSocket message. */
export function runInContext<T>(request: FastifyRequest, work: () => T): T {
  return storage.run(request, work)
}

/** The current request; `undefined` outside of one. */
export function currentRequest(): FastifyRequest | undefined {
  return storage.getStore()
}

/** The caller of the current request; the anonymous user without a credential. */
export function currentUser(): User {
  return storage.getStore()?.user ?? ANONYMOUS
}

/** The caller's token; `null` if the firewall found none. */
export function currentToken(): AccessToken | null {
  return storage.getStore()?.token ?? null
}

/** A hook that the creator of the server added before all others. */
export interface FirstHook {
  /** Continues with the request. */
  next(request: FastifyRequest, done: HookHandlerDoneFunction): void
}

const firstHooks = new WeakMap<FastifyInstance, FirstHook>()

/** Records the first hook of a server. The kernel then enters the context there, which saves a separate hook. */
export function noteFirstHook(server: FastifyInstance): FirstHook {
  const hook: FirstHook = { next: (_request, done) => done() }
  firstHooks.set(server, hook)
  return hook
}

/** Makes every request enter the context before anything else, or before the hooks that are added after this call. */
export function enterContextOf(fastify: FastifyInstance): void {
  const first = firstHooks.get(fastify)
  if (first === undefined) fastify.addHook('onRequest', enterContext)
  else first.next = runInContext
}

/** The first hook of a request: enters the context. It is synchronous, so nothing runs outside of the context. */
export const enterContext: onRequestHookHandler = function enterContext(request, _reply, done) {
  runInContext(request, done)
}

/**
 * Keeps one of Node's tick objects alive. If a garbage collection finds none, V8 forgets their hidden class, and every
 * later `process.nextTick` takes a slow path: 256 instead of 23 ns, a fifth of a request.
 */
export const tickShape: { held: object | null } = { held: null }

process.nextTick(() => {
  tickShape.held = executionAsyncResource()
})
