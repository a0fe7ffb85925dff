/** A client of one application, typed by its map of routes. */
import { CallError } from './errors.ts'
import { refusalOf } from './http/call-failures.ts'
import { type AnyCall, baseOf, type Caller, HttpCaller } from './http/http-caller.ts'
import { targetOf } from './http/target.ts'
import type { CallSettings, ClientOptions } from './options.ts'
import type { AnswerOf, ErrorOf, InputOf } from './routes/route.ts'
import { MessageStream } from './socket/message-stream.ts'
import { type Closing, RealtimeSocket } from './socket/realtime-socket.ts'
import { opened, type SocketLike } from './socket/socket-like.ts'

/** The options, which may be left out where the route needs none. */
type Given<Input> = object extends Input ? [options?: Input & CallSettings] : [options: Input & CallSettings]

/** Of a WEBSOCKET route alone. */
type GivenSocket<Shape> = Shape extends { readonly message: unknown } ? Given<InputOf<Shape>> : [never]

/**
 * The name of a route. Not a constraint of the type parameter: where that fails, TypeScript counts the arguments of any
 * route before it names the one that is not there.
 */
type Known<Routes, Name> = [Name] extends [keyof Routes] ? Name : keyof Routes & string

/** Of a name that the map does not have, what any options fit: the name alone is the error. */
type ShapeOf<Routes, Name> = Name extends keyof Routes ? Routes[Name] : { input: object; message: unknown }

/** What `attempt` resolves to: the answer, or the error, typed by the route. */
export type Outcome<Answer, Failure> =
  | { readonly ok: true; readonly data: Answer; readonly error?: undefined }
  | { readonly ok: false; readonly error: Failure; readonly data?: undefined }

/** Calls of routes, through whichever door. */
export interface RouteCalls<Routes> {
  /** The answer of a route. @throws CallError; TypeError where a parameter of the path has no value */
  call<Name extends string>(
    route: Known<Routes, Name>,
    ...given: Given<InputOf<ShapeOf<Routes, Name>>>
  ): Promise<AnswerOf<ShapeOf<Routes, Name>>>
  /** As `call`; an error is a value, which `error.code` narrows. */
  attempt<Name extends string>(
    route: Known<Routes, Name>,
    ...given: Given<InputOf<ShapeOf<Routes, Name>>>
  ): Promise<Outcome<AnswerOf<ShapeOf<Routes, Name>>, ErrorOf<ShapeOf<Routes, Name>>>>
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
  fetch<Name extends string>(
    route: Known<Routes, Name>,
    ...given: Given<InputOf<ShapeOf<Routes, Name>>>
  ): Promise<Response>
  /**
   * Opens the socket of svc-realtime. @throws CallError where it does not open: what the server answers to a plain request
   * there, such as 401, 403, 404, 429 or 503; SVC_CLIENT_CLOSED where that has no error, or no answer
   */
  connect(): Promise<LiveClient<Routes>>
  /** Opens the socket of a WEBSOCKET route. @throws as `connect` */
  subscribe<Name extends string>(
    route: Known<Routes, Name>,
    ...given: GivenSocket<ShapeOf<Routes, Name>>
  ): Promise<MessageStream<MessageOf<ShapeOf<Routes, Name>>, AnswerOf<ShapeOf<Routes, Name>>>>
}

type MessageOf<Shape> = Shape extends { readonly message: infer Message } ? Message : unknown

/** @throws TypeError without `baseUrl` outside of a page */
export function createClient<Routes extends object>(options: ClientOptions = {}): Client<Routes> {
  const base = baseOf(options)
  const { openSocket = (url: string) => new WebSocket(url) as SocketLike } = options
  const { caller } = new HttpCaller(options)
  // As the handshake was: a global WebSocket has the cookies of the server and no headers.
  const plain = options.openSocket === undefined && { headers: {}, interceptors: [], credentials: 'include' as const }
  const { caller: ask } = new HttpCaller({ ...options, ...plain })
  const open = async (route: string, { params, query }: AnyCall = {}) => {
    const [, path] = targetOf(route, params, query)
    const again = { params, query, raw: true, retry: false } as AnyCall
    return opened(await openSocket(base.replace(/^http/, 'ws') + path), () =>
      refusalOf(() => ask(route.replace(/^\w+/, 'GET'), again))
    )
  }
  const client = {
    ...callsBy(caller),
    fetch: (route: string, call?: AnyCall) => caller(route, { ...call, raw: true }),
    async connect() {
      const socket = new RealtimeSocket(
        await open(`GET ${options.realtimePath ?? '/svc/realtime'}`),
        options.retry ?? {}
      )
      return {
        ...callsBy(socket.caller),
        subscribe: socket.subscribe.bind(socket),
        publish: socket.publish.bind(socket),
        close: socket.close.bind(socket),
        closed: socket.closed
      }
    },
    subscribe: async (route: string, call?: AnyCall) => new MessageStream(await open(route, call))
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
