/** What JSON makes of a value: the type of an answer as the caller gets it. Types only. */

/** Bytes that are not JSON, such as a file. */
export type Bytes = ReadableStream<Uint8Array>

/**
 * The type of `JSON.parse(JSON.stringify(value))`; a stream or a buffer of the server is `Bytes`, and what JSON does not
 * know is `undefined`.
 */
export type Wire<T> = T extends Plain
  ? T
  : unknown extends T
    ? unknown
    : T extends Binary
      ? Bytes
      : 'toJSON' extends keyof T
        ? Written<T>
        : T extends object
          ? { [Key in keyof T]: Wire<T[Key]> }
          : undefined

// In this order and form for the compiler: most values are plain, and an inference is paid for even where it fails.
type Plain = string | number | boolean | null | undefined

type Written<T> = T extends { toJSON(...given: never[]): infer Value } ? Wire<Value> : never

/** Node's streams and buffers, by their shape: a page has no types of Node. */
type Binary = ArrayBuffer | ArrayBufferView | ReadableStream | { pipe(...given: never[]): unknown }
