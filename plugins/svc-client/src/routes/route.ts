/**
 * What a map of routes says of each route, and what a call makes of it. A map is an interface, so that a type is looked
 * at when its route is called and not before. Types only.
 */
import type { ClientFailure } from '../errors.ts'
import type { Wire } from './wire.ts'

/** One entry of a map of routes, such as `'POST /api/notes': { input: { body: ... }; answer: ...; errors: ... }`. */
export interface RouteShape {
  /** `params`, `query` and `body`, as far as the route takes them. */
  readonly input: object
  /** On a WEBSOCKET route: what the client sends. */
  readonly message?: unknown
  /** What the route answers, or sends to a socket. */
  readonly answer: unknown
  /** Codes of its errors, each with its status. */
  readonly errors: object
}

// biome-ignore lint/suspicious/noExplicitAny: a method of a controller takes what it likes
type Method = (...given: any[]) => unknown

/** What a method takes as a parameter, by index. */
export type Taken<M extends Method, Index extends number> = Parameters<M>[Index]

/** What a method returns, as the caller gets it. */
export type Returned<M extends Method> = M extends (...given: never[]) => infer Value ? Settled<Value> : never

type Settled<Value> = Value extends Promise<infer Later> ? Wire<Later> : Wire<Value>

/** A value for a parameter of a path. */
export type PathValue = string | number

/** A body that is sent as it is. */
export type Upload = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array> | string

/** What a call of this route has to say. */
export type InputOf<Shape> = Shape['input' & keyof Shape]

/** What a call of this route resolves to. */
export type AnswerOf<Shape> = Shape['answer' & keyof Shape]

/** The closed union of the errors of a route: those of the server by `code`, and those of the client itself. */
export type ErrorOf<Shape> = Shape extends { readonly errors: infer Errors }
  ? { [Code in keyof Errors & string]: RouteFailure<Code, Errors[Code]> }[keyof Errors & string] | ClientFailure
  : ClientFailure

/** An error that a route answered. */
export interface RouteFailure<Code, Status> {
  readonly code: Code
  readonly status: Status
  readonly message: string
  /** The body of the error: `message`, `details` of a validation, `current` of a conflict. */
  readonly data: Readonly<Record<string, unknown>>
}
