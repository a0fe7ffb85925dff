/**
 * A tracing channel of node:diagnostics_channel with the type of its messages: for work that carries other events, such
 * as a controller method. One message accompanies the work from its start to its end, and stores that are bound to the
 * channel are entered around it. A call site asks `hasSubscribers` first, and otherwise calls the plain method.
 */
import type { AsyncLocalStorage } from 'node:async_hooks'
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

/** What a channel adds to the message of its work. */
export interface Carried {
  /** Set when the work returns a promise: it goes on. */
  isPending?: boolean
  /** What the work threw, or rejected with. */
  error?: unknown
}

/** A store that a channel enters: an `AsyncLocalStorage`, or any object that runs work in a context. */
export interface CarrierStore<Context> {
  run<T>(context: Context, work: () => T): T
}

/** What a subscriber hears of the work of one message. */
export interface CarrierListener<Message> {
  start?(message: Message): void
  /** The work is over: it returned, threw, resolved or rejected (`message.error`). */
  over?(message: Message): void
}

/** A tracing channel with the type of its messages. */
export class CarrierChannel<Message extends object> {
  /** `tracing:<name>:start` and so on are the names of its channels. */
  readonly name: string
  readonly #channel: TracingChannel<unknown, Message & Carried>

  constructor(name: string) {
    this.name = name
    this.#channel = tracingChannel<unknown, Message & Carried>(name)
  }

  /** Asked before a message is made. */
  get hasSubscribers(): boolean {
    return this.#channel.hasSubscribers
  }

  /** Runs `work`, synchronous if it is, and publishes its start and its end. For call sites that found subscribers. */
  trace<T>(message: Message & Carried, work: () => T): T {
    const { start, end, error, asyncStart, asyncEnd } = this.#channel
    const failed = (thrown: unknown): never => {
      message.error = thrown
      error.publish(message)
      throw thrown
    }
    const settled = (): void => {
      asyncStart.publish(message)
      asyncEnd.publish(message)
    }
    return start.runStores(message, () => {
      let result: T
      try {
        result = work()
        // A foreign thenable, such as a reply or a query that runs when awaited, is a value like any other.
        if (result instanceof Promise) message.isPending = true
      } catch (thrown) {
        return failed(thrown)
      } finally {
        end.publish(message)
      }
      if (!(result instanceof Promise)) return result
      return result.then(
        (value: unknown) => {
          settled()
          return value
        },
        (reason: unknown) => {
          try {
            return failed(reason)
          } finally {
            settled()
          }
        }
      ) as T
    })
  }

  /** Enters the stores and publishes the start alone: the publisher does not see the end of this work. */
  enter(message: Message, work: () => void): void {
    this.#channel.start.runStores(message, work)
  }

  /** Listeners are called on the stack of the work. @returns unsubscribe */
  subscribe({ start, over }: CarrierListener<Message & Carried>): () => void {
    const listeners = {
      ...(start !== undefined && { start: (message: Message & Carried) => start(message) }),
      ...(over !== undefined && {
        end: (message: Message & Carried) => {
          if (message.isPending !== true) over(message)
        },
        asyncEnd: (message: Message & Carried) => over(message)
      })
    }
    const channel = this.#channel as TracingChannel<unknown, object>
    channel.subscribe(listeners as never)
    return () => channel.unsubscribe(listeners as never)
  }

  /** Runs the work in a context of `store`. `contextOf` must not throw: Node ends the process. @returns unbinds the store */
  bind<Context>(store: CarrierStore<Context>, contextOf: (message: Message & Carried) => Context): () => void {
    const { start } = this.#channel
    // Node calls `run` of a store, and nothing else.
    const bound = store as unknown as AsyncLocalStorage<never>
    start.bindStore(bound as never, contextOf as never)
    return () => start.unbindStore(bound as never)
  }
}
