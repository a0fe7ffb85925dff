/**
 * The request context: AsyncLocalStorage carries the request, so that any code below it can ask who is calling. Only
 * `run` enters it, because `enterWith` lost the identity after an await.
 */
import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { type AccessToken, ANONYMOUS, type User } from '../identity/identity.ts'
import { requestChannels } from '../ports/request-channels.ts'
import { readTraceparent, traceIdOf } from './traceparent.ts'

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
  next(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void
}

const firstHooks = new WeakMap<FastifyInstance, FirstHook>()

/** Records the first hook of a server. The kernel then enters the context there, which saves a separate hook. */
export function noteFirstHook(server: FastifyInstance): FirstHook {
  const hook: FirstHook = { next: (_request, _reply, done) => done() }
  firstHooks.set(server, hook)
  return hook
}

/** Makes every request enter the context before anything else, or before the hooks that are added after this call. */
export function enterContextOf(fastify: FastifyInstance): void {
  const first = firstHooks.get(fastify)
  if (first === undefined) fastify.addHook('onRequest', enterContext)
  else first.next = enterContext
}

/** The trace of a request as a `traceparent`. The kernel declares it on every request. */
export const traceSlot = Symbol('svc.trace')

interface TracedRequest extends FastifyRequest {
  [traceSlot]?: string | null
}

const { entry } = requestChannels

/** The first hook of a request: enters the context. It is synchronous, so nothing runs outside of the context. */
export function enterContext(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (entry.hasSubscribers) enterEntry(request, reply, done)
  else if (request.headers.traceparent !== undefined) enterTraced(request, reply, done)
  else runInContext(request, done)
}

function enterEntry(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  entry.enter({ request }, () => enterTraced(request, reply, done))
}

/** Also enters again, where another plugin has lost the context: the request keeps its trace. */
function enterTraced(request: TracedRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (request[traceSlot] === null || request[traceSlot] === undefined) {
    const trace = activeTrace() ?? readTraceparent(request.headers.traceparent)
    if (trace !== null) {
      request[traceSlot] = trace
      request.log = request.log.child({ traceId: traceIdOf(trace) })
      reply.log = request.log
    }
  }
  runInContext(request, done)
}

let activeTrace: () => string | null = () => null

/** Names the source of the active trace: the `traceparent` of the span in whose context it is called. @returns ends it */
export function traceFrom(source: () => string | null): () => void {
  activeTrace = source
  return () => {
    if (activeTrace === source) activeTrace = () => null
  }
}

/** The `traceparent` of the active span, else that of the current request, as its caller sent it; `null` without a trace. */
export function currentTraceparent(): string | null {
  const request: TracedRequest | undefined = storage.getStore()
  return activeTrace() ?? request?.[traceSlot] ?? null
}

/** The id of the current trace, 32 hexadecimal digits; `null` without one. */
export function currentTraceId(): string | null {
  const trace = currentTraceparent()
  return trace === null ? null : traceIdOf(trace)
}

/**
 * Keeps one of Node's tick objects alive. If a garbage collection finds none, V8 forgets their hidden class, and every
 * later `process.nextTick` takes a slow path: 256 instead of 23 ns, a fifth of a request.
 */
export const tickShape: { held: object | null } = { held: null }

process.nextTick(() => {
  tickShape.held = executionAsyncResource()
})
