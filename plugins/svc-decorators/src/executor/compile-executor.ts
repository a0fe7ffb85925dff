/**
 * Runs a controller, for both transports, after the guard: creates an instance, calls `initialize()` if the class has
 * it, then the method with its arguments. Compiled once per route into a closure that allocates only the instance and
 * stays synchronous if the controller is.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestChannels } from 'svc-kernel'
import type { Invocation } from '../compile/endpoint.ts'
import type { ArgumentReader, ControllerContext } from './argument-readers.ts'

/** Runs the controller. It returns, throws or rejects as the method does. */
export type Executor<Channel> = (server: FastifyInstance, request: FastifyRequest, channel: Channel) => unknown

type Method = (...args: unknown[]) => unknown
type Controller = Record<string | symbol, Method>
type ControllerConstructor = new (server: FastifyInstance) => Controller
type Call<Channel> = (
  controller: Controller,
  request: FastifyRequest,
  channel: Channel,
  context: ControllerContext | undefined
) => unknown

const { operation } = requestChannels

export function compileExecutor<Channel>(
  invocation: Invocation,
  readers: ReadonlyArray<ArgumentReader<Channel>>,
  makeContext: (request: FastifyRequest, channel: Channel) => ControllerContext
): Executor<Channel> {
  const execute = compileInvocation(invocation, readers, makeContext)
  const name = `${invocation.Class.name}.${String(invocation.key)}`
  // Its own function: a closure costs its scope at every entry, also where it is not made.
  const traced: Executor<Channel> = (server, request, channel) =>
    operation.trace({ request, name }, () => execute(server, request, channel))
  return (server, request, channel) =>
    operation.hasSubscribers ? traced(server, request, channel) : execute(server, request, channel)
}

function compileInvocation<Channel>(
  invocation: Invocation,
  readers: ReadonlyArray<ArgumentReader<Channel>>,
  makeContext: (request: FastifyRequest, channel: Channel) => ControllerContext
): Executor<Channel> {
  const Class = invocation.Class as unknown as ControllerConstructor
  const call = compileCall(invocation.key, readers)
  if (typeof invocation.Class.prototype.initialize === 'function') {
    return (server, request, channel) => {
      const context = makeContext(request, channel)
      const controller = new Class(server)
      const pending = pendingOf(controller.initialize?.(context))
      if (pending === null) return call(controller, request, channel, context)
      return pending.then(() => call(controller, request, channel, context))
    }
  }
  if (invocation.parameters.some(({ kind }) => kind === 'context')) {
    return (server, request, channel) => call(new Class(server), request, channel, makeContext(request, channel))
  }
  return (server, request, channel) => call(new Class(server), request, channel, undefined)
}

/** Passes up to three arguments without an array. */
function compileCall<Channel>(key: string | symbol, readers: ReadonlyArray<ArgumentReader<Channel>>): Call<Channel> {
  const [first, second, third, ...others] = readers
  if (first === undefined) {
    return (controller) => (controller[key] as Method)()
  }
  if (second === undefined) {
    return (controller, request, channel, context) => (controller[key] as Method)(first(request, channel, context))
  }
  if (third === undefined) {
    return (controller, request, channel, context) =>
      (controller[key] as Method)(first(request, channel, context), second(request, channel, context))
  }
  if (others.length === 0) {
    return (controller, request, channel, context) =>
      (controller[key] as Method)(
        first(request, channel, context),
        second(request, channel, context),
        third(request, channel, context)
      )
  }
  return (controller, request, channel, context) =>
    (controller[key] as Method)(...readers.map((read) => read(request, channel, context)))
}

/** The promise of a pending answer, else `null`. Creates no promise, so the synchronous path stays synchronous. */
export function pendingOf(value: unknown): Promise<unknown> | null {
  if (typeof value !== 'object' || value === null || typeof (value as { then?: unknown }).then !== 'function')
    return null
  // The `then` of a foreign thenable, such as a query that runs when awaited, need not return a promise.
  return value instanceof Promise ? value : Promise.resolve(value)
}
