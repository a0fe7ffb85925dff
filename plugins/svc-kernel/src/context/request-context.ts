/**
 * The ambient context: the request itself, carried by AsyncLocalStorage, so
 * that any code below a request can ask who is calling. Entered by `run` only;
 * `enterWith` was measured to lose the identity after an await.
 */
import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import { type AccessToken, ANONYMOUS, type User } from '../identity/identity.ts'

const storage = new AsyncLocalStorage<FastifyRequest>()

/** Runs `work` with `request` as the ambient request: once per HTTP request, once per WebSocket message. */
export function runInContext<T>(request: FastifyRequest, work: () => T): T {
  return storage.run(request, work)
}

/** The request being served, or `undefined` outside of any. */
export function currentRequest(): FastifyRequest | undefined {
  return storage.getStore()
}

/** The caller of the request being served; the anonymous user where no proof was given. */
export function currentUser(): User {
  return storage.getStore()?.user ?? ANONYMOUS
}

/** The caller's token, or `null` where the firewall resolved none. */
export function currentToken(): AccessToken | null {
  return storage.getStore()?.token ?? null
}

/** A hook that whoever made the server added before any other. */
export interface FirstHook {
  /** How it goes on. */
  next(request: FastifyRequest, done: HookHandlerDoneFunction): void
}

const firstHooks = new WeakMap<FastifyInstance, FirstHook>()

/** Notes the first hook of a server: the kernel then enters the context there, which saves a hook of its own. */
export function noteFirstHook(server: FastifyInstance): FirstHook {
  const hook: FirstHook = { next: (_request, done) => done() }
  firstHooks.set(server, hook)
  return hook
}

/** Has every request enter the context before anything else runs, or before what comes after this call. */
export function enterContextOf(fastify: FastifyInstance): void {
  const first = firstHooks.get(fastify)
  if (first === undefined) fastify.addHook('onRequest', enterContext)
  else first.next = runInContext
}

/** The first hook of a request: enters the ambient context. Synchronous, so that nothing runs outside of it. */
export const enterContext: onRequestHookHandler = function enterContext(request, _reply, done) {
  runInContext(request, done)
}

/**
 * Keeps one of Node's tick objects alive. When a garbage collection finds none,
 * V8 forgets their hidden class, and every later `process.nextTick` takes a
 * slow path: measured 256 against 23 ns, a fifth of a whole request, at random from boot to boot.
 */
export const tickShape: { held: object | null } = { held: null }

process.nextTick(() => {
  tickShape.held = executionAsyncResource()
})
