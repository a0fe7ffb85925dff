/** Realtime as the application calls it: `fastify.realtime`. */

import { requestChannels } from 'svc-kernel'
import type { RealtimeAdapter } from './adapters/adapter.ts'
import { isChannelName } from './channels/channel-locks.ts'
import type { Hub } from './channels/hub.ts'
import { InvalidChannel, UnsendableData } from './errors.ts'
import { messageFrame } from './json-rpc.ts'

export interface RealtimeStatus {
  /** Open sockets of this instance. */
  readonly connections: number
  /** Channels that somebody listens to in this instance. */
  readonly channels: number
  /** Messages that open sockets were too slow for. */
  readonly dropped: number
  readonly adapter: {
    readonly name: string
    readonly connected: boolean
    /** Messages that did not reach other instances. */
    readonly lost: number
  }
}

export interface RealtimeParts {
  readonly hub: Hub
  readonly adapter: RealtimeAdapter
  readonly connections: Iterable<{ readonly dropped: number }> & { readonly size: number }
}

export class Realtime {
  readonly #parts: RealtimeParts

  constructor(parts: RealtimeParts) {
    this.#parts = parts
  }

  /**
   * Sends a message to everyone who listens to a channel, in every instance. The
   * server may publish anywhere; locks are for clients. It waits for no one.
   *
   * @param data anything with a JSON form
   * @throws InvalidChannel (SVC_REALTIME_CHANNEL), UnsendableData (SVC_REALTIME_DATA)
   */
  publish(channel: string, data: unknown): void {
    if (!isChannelName(channel)) throw new InvalidChannel(JSON.stringify(String(channel)))
    const text = jsonText(data)
    if (requestChannels.message.hasSubscribers) requestChannels.message.publish({ channel })
    this.receive(channel, text)
    this.#parts.adapter.publish(channel, text)
  }

  /** Whether a message could reach anyone: a listener here, or another instance, whose listeners are not known here. */
  reaches(channel: string): boolean {
    return this.#parts.hub.hears(channel) || this.#parts.adapter.name !== 'memory'
  }

  /** Whether somebody listens in this instance. */
  isHeardHere(channel: string): boolean {
    return this.#parts.hub.hears(channel)
  }

  /** A message of another instance: to local subscribers only. @param data JSON text */
  receive(channel: string, data: string): void {
    if (this.#parts.hub.hears(channel)) this.#parts.hub.deliver(channel, messageFrame(channel, data))
  }

  /** Counters of this instance, for a health view. */
  status(): RealtimeStatus {
    const { hub, adapter, connections } = this.#parts
    let dropped = 0
    for (const connection of connections) dropped += connection.dropped
    const { name, connected, lost } = adapter
    return { connections: connections.size, channels: hub.size, dropped, adapter: { name, connected, lost } }
  }
}

function jsonText(data: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(data)
  } catch (error) {
    throw new UnsendableData(error instanceof Error ? error.message : String(error))
  }
  if (text === undefined) throw new UnsendableData(`${typeof data} has none`)
  return text
}
