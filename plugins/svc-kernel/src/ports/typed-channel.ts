/** A diagnostics channel with the type of its messages: for events that are published when they are over. */
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'

/** A diagnostics channel with the type of its messages. */
export interface TypedChannel<Message> {
  readonly name: string
  /** Asked before a message is made. */
  readonly hasSubscribers: boolean
  publish(message: Message): void
  /** `listener` is called on the stack of the publisher. @returns unsubscribe */
  subscribe(listener: (message: Message) => void): () => void
}

export function typedChannel<Message>(name: string): TypedChannel<Message> {
  const untyped = channel(name)
  return {
    name,
    get hasSubscribers() {
      return untyped.hasSubscribers
    },
    publish: (message) => untyped.publish(message),
    subscribe: (listener) => {
      const heard = (message: unknown): void => listener(message as Message)
      subscribe(name, heard)
      return () => unsubscribe(name, heard)
    }
  }
}
