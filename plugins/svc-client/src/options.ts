/** The options of a client and of a call. */
import type { InputOf } from './routes/route.ts'
import type { SocketFactory } from './socket/socket-like.ts'

/** Passes a request on, and gets its answer: an interceptor may change both, or call `next` again. */
export type Interceptor = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>

/** When a call that failed is made again. */
export interface RetryOptions {
  /** Calls after the first. Default 2; 0 for none. */
  readonly times?: number
  /** Milliseconds before the first repetition; each one doubles it, at random between half and whole. Default 300. */
  readonly delayMs?: number
  /** A `Retry-After` that is longer, in milliseconds, is not waited for: the error comes at once. Default 10000. */
  readonly longestMs?: number
}

/** Options of `createClient`. */
export interface ClientOptions {
  /** Origin of the server, and a path where it is mounted under one. Default: the origin of the page. */
  readonly baseUrl?: string
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Headers of every request, such as `authorization`; a function is asked before each. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
  /** Cookies: `same-origin` (default), `include` for a server of another origin, or `omit`. */
  readonly credentials?: 'same-origin' | 'include' | 'omit'
  /**
   * Path that answers the CSRF token of a session, `false` for none. Default in a page:
   * `/svc/security/api/auth/csrf`; elsewhere `false`. Requests with `authorization` have no token.
   */
  readonly csrf?: string | false
  /** `false`: nothing is repeated. */
  readonly retry?: RetryOptions | false
  /** Longest time of one request, in milliseconds, to its headers. Default 30000; 0 for no limit. */
  readonly timeoutMs?: number
  /** In order, the first outermost. */
  readonly interceptors?: readonly Interceptor[]
  /** Path of svc-realtime. Default `/svc/realtime`. */
  readonly realtimePath?: string
  /**
   * Opens a WebSocket. Default: the global `WebSocket`, which sends cookies and no headers. One of your own proves its
   * caller with `headers`, so that a request with these tells why the server refused it.
   */
  readonly openSocket?: SocketFactory
}

/** What every call may say. */
export interface CallSettings {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /**
   * The route is behind the idempotency gate: the call gets a key, the same for its repetitions, so that a POST or PATCH
   * without an answer may be made again. A string is the key itself. Over a socket every change has a key.
   */
  readonly once?: boolean | string
  /** Instead of that of the client. */
  readonly retry?: RetryOptions | false
  readonly timeoutMs?: number
}

/** Options of a call of a route: what the route takes, and the settings of the call. */
export type CallOptions<Shape> = InputOf<Shape> & CallSettings
