/** The socket of svc-realtime: calls of routes and messages of channels, as JSON-RPC 2.0. */
import { closedError, errorOf, failureOf } from '../http/call-failures.ts'
import type { AnyCall, Caller } from '../http/http-caller.ts'
import { repeated } from '../http/retry.ts'
import { targetOf } from '../http/target.ts'
import type { RetryOptions } from '../options.ts'
import type { SocketLike } from './socket-like.ts'

interface Frame {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly channel: string; readonly data: unknown }
  readonly result?: unknown
  readonly error?: {
    readonly message: string
    readonly data?: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  }
}

interface Pending {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Why and when a socket was closed. */
export interface Closing {
  /** As RFC 6455 numbers it; 1012: open another one, 4001: the identity is over. */
  readonly code: number
  readonly reason: string
}

export class RealtimeSocket {
  /** Resolves when the socket is closed, by either side. */
  readonly closed: Promise<Closing>
  readonly #socket: SocketLike
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<string, Set<(data: unknown) => void>>()
  readonly #retry: RetryOptions | false
  #last = 0
  #isClosed = false

  constructor(socket: SocketLike, retry: RetryOptions | false) {
    this.#socket = socket
    this.#retry = retry
    socket.onmessage = ({ data }: { data: unknown }) => this.#take(JSON.parse(String(data)) as Frame)
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }: Closing) => {
        this.#isClosed = true
        for (const { reject } of this.#pending.values()) reject(closedError())
        this.#pending.clear()
        resolve({ code, reason: String(reason) })
      }
    })
  }

  readonly caller: Caller = async (route, call = {}) => {
    const { params, query, body, once, signal, retry = this.#retry } = call
    const [method, path] = targetOf(route, params, query)
    const key = method === 'GET' ? undefined : typeof once === 'string' ? once : crypto.randomUUID()
    const request = {
      path,
      method,
      ...(body !== undefined && { body }),
      ...(key !== undefined && { idempotencyKey: key })
    }
    const attempt = async () =>
      ((await this.#send('api.request', request, call)) as { body: unknown }).body ?? undefined
    return repeated(attempt, { method, once: true, retry, signal })
  }

  /** @returns how to stop listening */
  async subscribe(channel: string, listener: (data: unknown) => void): Promise<() => Promise<void>> {
    const known = this.#listeners.get(channel)
    const listeners = known ?? new Set()
    // Before the answer: a message may come right behind it.
    this.#listeners.set(channel, listeners.add(listener))
    const leave = () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return false
      return this.#listeners.delete(channel)
    }
    try {
      await this.#send('channel.subscribe', { channel })
    } catch (error) {
      leave()
      throw error
    }
    return async () => {
      if (leave() && !this.#isClosed) await this.#send('channel.unsubscribe', { channel })
    }
  }

  async publish(channel: string, data: unknown): Promise<void> {
    await this.#send('channel.publish', { channel, data })
  }

  async close(): Promise<Closing> {
    this.#socket.close(1000)
    return this.closed
  }

  #send(
    method: string,
    params: object,
    { signal, timeoutMs }: Pick<AnyCall, 'signal' | 'timeoutMs'> = {}
  ): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(closedError())
    if (signal?.aborted) return Promise.reject(failureOf(signal.reason, signal, false))
    this.#last += 1
    const id = this.#last
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        this.#pending.delete(id)
      }
      const stop = () => {
        end()
        reject(failureOf(signal?.reason, signal, !signal?.aborted))
      }
      const timer = timeoutMs ? setTimeout(stop, timeoutMs) : undefined
      signal?.addEventListener('abort', stop)
      this.#pending.set(id, {
        resolve(result) {
          end()
          resolve(result)
        },
        reject(error) {
          end()
          reject(error)
        }
      })
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  #take({ id, method, params, result, error }: Frame): void {
    if (method === 'channel.message' && params !== undefined) {
      for (const listener of this.#listeners.get(params.channel) ?? []) listener(params.data)
      return
    }
    const pending = this.#pending.get(id ?? 0)
    if (error === undefined) {
      pending?.resolve(result)
      return
    }
    const { status = 400, headers, ...data } = error.data ?? {}
    pending?.reject(errorOf(status, { statusCode: status, ...data, message: error.message }, headers?.['retry-after']))
  }
}
