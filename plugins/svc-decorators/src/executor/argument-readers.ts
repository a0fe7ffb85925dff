/** The context of a controller call, and one reader per argument, compiled at boot. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type CurrentJob } from 'svc-kernel'
import type { WebSocket } from 'ws'
import type { ParameterDeclaration, ParameterKind } from '../declarations/declarations.ts'

/** What `@Ctx()` gives a method that answers a request. */
export interface HttpContext {
  readonly transport: 'HTTP'
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What `@Ctx()` gives a method that answers a message. */
export interface WebSocketContext {
  readonly transport: 'WEBSOCKET'
  /** The upgrade request, which lives as long as the connection. */
  readonly request: FastifyRequest
  readonly socket: WebSocket
  /** A Buffer for a binary frame, else a string. */
  readonly message: string | Buffer
}

/** What `@Ctx()` gives a method that runs as a job. */
export interface JobContext<Job extends CurrentJob = CurrentJob> {
  readonly transport: 'JOB'
  /** Made inside this process: it has no headers of the caller. */
  readonly request: FastifyRequest
  /** `JobContext<RunningJob>`, with the type of svc-jobs, has steps and progress too. */
  readonly job: Job
}

/** The argument of `@Ctx()` and `initialize()`; `transport` tells how the method was called. */
export type ControllerContext = HttpContext | WebSocketContext | JobContext

/** A controller with a hook before its methods. A returned promise is awaited. */
export interface InitializableController {
  initialize(context: ControllerContext): void | Promise<void>
}

/** Reads one argument. `context` is `undefined` if the method does not need it. */
export type ArgumentReader<Channel> = (
  request: FastifyRequest,
  channel: Channel,
  context: ControllerContext | undefined
) => unknown

/** The current message, for the readers of WEBSOCKET arguments. */
export interface MessageChannel {
  /** The text of the message. */
  text(): string
  readonly data: Buffer
  /** The message as parsed and validated JSON, if the route reads it. */
  readonly body: unknown
}

type Named = Readonly<Record<string, unknown>>

export function httpReader(parameter: ParameterDeclaration): ArgumentReader<FastifyReply> {
  switch (parameter.kind) {
    case 'body':
      return (request) => request.body
    case 'message':
      return () => undefined
    default:
      return requestReader(parameter.kind, parameter.name)
  }
}

export function jobReader(parameter: ParameterDeclaration): ArgumentReader<CurrentJob> {
  return httpReader(parameter) as ArgumentReader<unknown>
}

export function messageReader(parameter: ParameterDeclaration): ArgumentReader<MessageChannel> {
  switch (parameter.kind) {
    case 'body':
      return (_request, channel) => channel.body
    case 'message':
      return parameter.binary ? (_request, channel) => channel.data : (_request, channel) => channel.text()
    default:
      return requestReader(parameter.kind, parameter.name)
  }
}

/** Arguments that both transports read from the request; on WEBSOCKET that is the upgrade request. */
function requestReader(
  kind: Exclude<ParameterKind, 'body' | 'message'>,
  name: string | undefined
): ArgumentReader<unknown> {
  switch (kind) {
    case 'user':
      return (request) => request.user ?? ANONYMOUS
    case 'context':
      return (_request, _channel, context) => context
    case 'query':
      return name === undefined ? (request) => request.query : (request) => (request.query as Named)[name]
    case 'param':
      return name === undefined ? (request) => request.params : (request) => (request.params as Named)[name]
    case 'headers':
      return name === undefined ? (request) => request.headers : (request) => request.headers[name]
  }
}
