/**
 * Limits of one route, as route-level hooks: by address before authentication, the others where the guard decides, after
 * it and before the body is read. A route without limits has neither hook. A firewall, whose hook comes before those of a
 * route, asks by `arrive` first; the route then does not ask again.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { requirementOfHook } from '../access/guard.hook.ts'
import { LimitExceeded, LimitUnavailable } from '../errors.ts'
import { refusing } from '../http-errors/route-errors.ts'
import { andThen, type MaybePromise } from '../promises/maybe-promise.ts'
import type { LimitGate } from './limit-gate.ts'
import type { LimitedOperation, RateLimit } from './rate-limit.ts'

/** In the config of a route whose limits a firewall asks for first. */
const arrivalSlot = Symbol('svc.limit-arrival')

/** On a request: the operation whose limits by address were asked. The kernel declares it. */
export const arrivedSlot = Symbol('svc.limit-arrived')

/** On a hook: the operation that it limits. */
const operationOfHook = Symbol('svc.limited-operation')

interface ArrivedRequest extends FastifyRequest {
  [arrivedSlot]?: LimitedOperation | null
}

type LimitHooks = Required<Pick<RouteOptions, 'onRequest' | 'preParsing'>>

/** @returns the hooks that the limits of an operation need; of a list of none, none */
export function limitHooks(operation: LimitedOperation): Partial<LimitHooks> {
  const onRequest: LimitHooks['onRequest'] = function limitByAddress(request, reply, done) {
    if ((request as ArrivedRequest)[arrivedSlot] === operation) return done()
    // `arrive` never rejects.
    void andThen(arrive(this, operation, request, reply), (refusal) => done(refusal ?? undefined))
  }
  const preParsing: LimitHooks['preParsing'] = function limitCaller(request, reply, payload, done) {
    const engine = this.limitGate?.engine
    const refusal = engine ? engine.admit(operation, request, reply) : new LimitUnavailable()
    void andThen(refusal, (refused) => done(refused, payload))
  }
  return {
    ...(operation.limits.some(isByAddress) ? { onRequest: marked(onRequest, operation) } : {}),
    ...(operation.limits.every(isByAddress) ? {} : { preParsing: marked(preParsing, operation) })
  }
}

/**
 * Limits by address, once per request.
 *
 * @returns the refusal, or `null`; never rejects
 */
export function arrive(
  fastify: FastifyInstance,
  operation: LimitedOperation,
  request: FastifyRequest,
  reply: FastifyReply
): MaybePromise<Error | null> {
  ;(request as ArrivedRequest)[arrivedSlot] = operation
  const engine = fastify.limitGate?.engine
  return engine ? engine.arrive(operation, request, reply) : new LimitUnavailable()
}

/** Every limit of an operation, for a message of an open WebSocket. @returns as `arrive` */
export function limitMessage(
  fastify: FastifyInstance,
  operation: LimitedOperation,
  request: FastifyRequest
): MaybePromise<Error | null> {
  const engine = fastify.limitGate?.engine
  return engine ? engine.message(operation, request) : new LimitUnavailable()
}

/** The operation whose limits by address come before authentication; `undefined` where a route has none. */
export function arrivalOf(config: object): LimitedOperation | undefined {
  return (config as { readonly [arrivalSlot]?: LimitedOperation })[arrivalSlot]
}

/** For an `onRoute` hook: puts the hooks of `config.limits` on the route, unless it brings them. */
export function limitRoute(gate: LimitGate, route: RouteOptions): void {
  const limits = limitsOf(route.config?.limits)
  if (limits.length === 0) return
  const known = [...listed(route.onRequest), ...listed(route.preParsing)].map(operationOf).find((each) => each !== null)
  const operation = known ?? { name: nameOf(route), limits, source: route.config?.svc?.source ?? null }
  gate.operations.push(operation)
  // Fastify gives the options of a GET to its HEAD, hooks and all.
  if (limits.some(isByAddress))
    route.config = { ...route.config, [arrivalSlot]: operation } as NonNullable<RouteOptions['config']>
  if (known !== undefined) return
  const { onRequest, preParsing } = limitHooks(operation)
  if (onRequest !== undefined) route.onRequest = [...listed(onRequest), ...listed(route.onRequest)]
  if (preParsing === undefined) return
  const own = listed(route.preParsing)
  const guards = own.findLastIndex((hook) => requirementOfHook in hook) + 1
  route.preParsing = [...own.slice(0, guards), ...listed(preParsing), ...own.slice(guards)]
}

/**
 * For an `onRoute` hook: a route of WebSockets asks the engine, where there is one, whether the caller may open another.
 * A route of WebSockets alone asks it for a plain request too: that learns what a WebSocket does not tell its client.
 */
export function limitSockets(route: RouteOptions): void {
  // The fields belong to @fastify/websocket, which may be absent.
  const { websocket, wsHandler } = route as { readonly websocket?: boolean; readonly wsHandler?: unknown }
  if (websocket !== true && wsHandler === undefined) return
  const alone = websocket === true || route.config?.svc?.transports.every((transport) => transport === 'WEBSOCKET')
  const limitSocket: LimitHooks['onRequest'] = function limitSocket(request, reply, done) {
    if (!alone && request.headers.upgrade === undefined) return done()
    done(this.limitGate?.engine?.socket?.(request, reply) ?? undefined)
  }
  route.onRequest = [limitSocket, ...listed(route.onRequest)] as NonNullable<RouteOptions['onRequest']>
}

/** One limit is a list of one. */
export function limitsOf(given: RateLimit | readonly RateLimit[] | undefined): readonly RateLimit[] {
  return given === undefined ? [] : ([given].flat() as readonly RateLimit[])
}

function marked<Hook extends object>(hook: Hook, operation: LimitedOperation): Hook {
  Object.defineProperty(hook, operationOfHook, { value: operation })
  return refusing(hook, LimitExceeded)
}

function operationOf(hook: object): LimitedOperation | null {
  return (hook as { readonly [operationOfHook]?: LimitedOperation })[operationOfHook] ?? null
}

function isByAddress(limit: RateLimit): boolean {
  return limit?.by === 'address'
}

/** One name for both spellings of a route `/` under a prefix, and for the HEAD of a GET. */
function nameOf({ method, url, config }: RouteOptions): string {
  if (config?.svc !== undefined) return config.svc.name
  const methods = [method].flat().map((each) => (each === 'HEAD' ? 'GET' : each))
  return `${[...new Set(methods)].join(',')} ${url.replace(/(.)\/$/, '$1')}`
}

function listed<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  return hooks === undefined ? [] : ([hooks].flat() as Hook[])
}
