/** The socket of a WEBSOCKET route: each message is sent as JSON, each answer is read as JSON, errors included. */
import { CallError } from '../errors.ts'
import { closedError, errorOf } from '../http/call-failures.ts'
import type { SocketLike } from './socket-like.ts'

/** What a WEBSOCKET route sends, one after the other, until the socket closes or the loop is left. */
export class MessageStream<Message = unknown, Answer = unknown> implements AsyncIterable<Answer> {
  readonly #socket: SocketLike
  readonly #waiting: unknown[] = []
  #wake: (() => void) | null = null
  #isClosed = false

  constructor(socket: SocketLike) {
    this.#socket = socket
    socket.onmessage = ({ data }: { data: unknown }) => {
      this.#waiting.push(data)
      this.#wake?.()
    }
    socket.onclose = () => {
      this.#isClosed = true
      this.#wake?.()
    }
  }

  /** Text is sent as it is, everything else as JSON. @throws CallError SVC_CLIENT_CLOSED */
  send(message: Message): void {
    if (this.#isClosed) throw closedError()
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The next answer; `undefined` once the socket is closed. @throws CallError for an error frame */
  async next(): Promise<Answer | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#isClosed) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return readMessage(this.#waiting.shift()) as Answer
  }

  close(): void {
    this.#socket.close(1000)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Answer, void> {
    try {
      for (;;) {
        const answer = await this.next()
        if (answer === undefined) return
        yield answer
      }
    } finally {
      this.close()
    }
  }
}

/** Binary frames are given as they came. */
function readMessage(data: unknown): unknown {
  if (typeof data !== 'string') return data
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw new CallError('SVC_CLIENT_ANSWER', 'the message is not valid JSON')
  }
  const { statusCode, code, error } = (value ?? {}) as Readonly<Record<string, unknown>>
  const failed = typeof statusCode === 'number' && typeof code === 'string' && typeof error === 'string'
  if (failed) throw errorOf(statusCode, value)
  return value
}
