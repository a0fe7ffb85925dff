/** A client of one application, typed by its map of routes. */
import { CallError } from './errors.ts'
import { type AnyCall, baseOf, type Caller, HttpCaller } from './http/http-caller.ts'
import { targetOf } from './http/target.ts'
import type { CallSettings, ClientOptions } from './options.ts'
import type { AnswerOf, ErrorOf, InputOf } from './routes/route.ts'
import { MessageStream } from './socket/message-stream.ts'
import { type Closing, closedError, RealtimeSocket } from './socket/realtime-socket.ts'
import { opened, type SocketLike } from './socket/socket-like.ts'

/** The options, which may be left out where the route needs none. */
type Given<Input> = object extends Input ? [options?: Input & CallSettings] : [options: Input & CallSettings]

/** Of a WEBSOCKET route alone. */
type GivenSocket<Shape> = Shape extends { readonly message: unknown } ? Given<InputOf<Shape>> : [never]

/** What `attempt` resolves to: the answer, or the error, typed by the route. */
export type Outcome<Answer, Failure> =
  | { readonly ok: true; readonly data: Answer; readonly error?: undefined }
  | { readonly ok: false; readonly error: Failure; readonly data?: undefined }

/** Calls of routes, through whichever door. */
export interface RouteCalls<Routes> {
  /** The answer of a route. @throws CallError; TypeError where a parameter of the path has no value */
  call<Name extends keyof Routes & string>(
    route: Name,
    ...given: Given<InputOf<Routes[Name]>>
  ): Promise<AnswerOf<Routes[Name]>>
  /** As `call`; an error is a value, which `error.code` narrows. */
  attempt<Name extends keyof Routes & string>(
    route: Name,
    ...given: Given<InputOf<Routes[Name]>>
  ): Promise<Outcome<AnswerOf<Routes[Name]>, ErrorOf<Routes[Name]>>>
}

/** The open socket of svc-realtime. */
export interface LiveClient<Routes> extends RouteCalls<Routes> {
  /** Messages of a channel, from now on. @returns how to stop listening */
  subscribe<Data = unknown>(channel: string, listener: (data: Data) => void): Promise<() => Promise<void>>
  publish(channel: string, data: unknown): Promise<void>
  close(): Promise<Closing>
  /** Resolves when the socket is closed, by either side. */
  readonly closed: Promise<Closing>
}

/** What `createClient` gives. */
export interface Client<Routes> extends RouteCalls<Routes> {
  /** As `call`, for its status, its headers, or its bytes as they come. @throws as `call`, also for a status from 400 on */
  fetch<Name extends keyof Routes & string>(route: Name, ...given: Given<InputOf<Routes[Name]>>): Promise<Response>
  /** Opens the socket of svc-realtime. @throws CallError SVC_CLIENT_CLOSED where it does not open */
  connect(): Promise<LiveClient<Routes>>
  /** Opens the socket of a WEBSOCKET route. @throws CallError SVC_CLIENT_CLOSED where it does not open */
  subscribe<Name extends keyof Routes & string>(
    route: Name,
    ...given: GivenSocket<Routes[Name]>
  ): Promise<MessageStream<MessageOf<Routes[Name]>, AnswerOf<Routes[Name]>>>
}

type MessageOf<Shape> = Shape extends { readonly message: infer Message } ? Message : unknown

/** @throws TypeError without `baseUrl` outside of a page */
export function createClient<Routes extends object>(options: ClientOptions = {}): Client<Routes> {
  const base = baseOf(options)
  const { openSocket = (url: string) => new WebSocket(url) as SocketLike } = options
  const open = async (path: string) => opened(await openSocket(base.replace(/^http/, 'ws') + path), closedError)
  const { caller } = new HttpCaller(options)
  const client = {
    ...callsBy(caller),
    fetch: (route: string, call?: AnyCall) => caller(route, { ...call, raw: true }),
    async connect() {
      const socket = new RealtimeSocket(await open(options.realtimePath ?? '/svc/realtime'), options.retry ?? {})
      return {
        ...callsBy(socket.caller),
        subscribe: socket.subscribe.bind(socket),
        publish: socket.publish.bind(socket),
        close: socket.close.bind(socket),
        closed: socket.closed
      }
    },
    async subscribe(route: string, { params, query }: { params?: object; query?: object } = {}) {
      const [, path] = targetOf(
        route,
        params as Readonly<Record<string, unknown>>,
        query as Readonly<Record<string, unknown>>
      )
      return new MessageStream(await open(path))
    }
  }
  return client as unknown as Client<Routes>
}

/** Calls that throw, and calls that do not. */
export function callsBy(call: Caller) {
  return {
    call,
    attempt: async (...given: Parameters<Caller>) => {
      try {
        return { ok: true, data: await call(...given) }
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        return { ok: false, error }
      }
    }
  }
}
