/** Realtime as the application calls it: `fastify.realtime`. */

import { requestChannels } from 'svc-kernel'
import type { RealtimeAdapter } from './adapters/adapter.ts'
import { isChannelName, ORDERS_CHANNEL } from './channels/channel-locks.ts'
import type { Hub } from './channels/hub.ts'
import { ownChannel } from './channels/own-channel.ts'
import { InvalidChannel, UnsendableData } from './errors.ts'
import { messageFrame } from './json-rpc.ts'
import { dropChannel } from './methods/drop-channel.ts'
import type { Peer } from './methods/method.ts'

/** Sockets and channels of this instance, and what was lost. */
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
  readonly connections: Iterable<OpenSocket> & { readonly size: number }
}

/** What is used of an open socket. */
interface OpenSocket extends Peer {
  readonly dropped: number
  /** `null` for a visitor. */
  readonly user: string | null
  disconnect(): void
}

/** What another instance asks this one to do, too. */
type Order = { readonly disconnect: string } | { readonly unsubscribe: string; readonly channel: string }

/** What is no order of an instance, orders nothing: it comes from a server that others may write to. */
function orderOf(data: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(data) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** `fastify.realtime`: publishes to channels, and shows and disconnects sockets. */
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
    if (!isChannelName(channel) || channel === ORDERS_CHANNEL) throw new InvalidChannel(JSON.stringify(String(channel)))
    const text = jsonText(data)
    if (requestChannels.message.hasSubscribers) requestChannels.message.publish({ channel })
    this.receive(channel, text)
    this.#parts.adapter.publish(channel, text)
  }

  /**
   * Sends a message to the sockets of one user that listen to `svc:own:<user>:<topic>`, in every instance; see `publish`. No
   * other caller can listen there. An identifier too long for the name of a channel gets nothing.
   *
   * @param user identifier
   * @throws UnsendableData (SVC_REALTIME_DATA)
   */
  publishTo(user: string, topic: string, data: unknown): void {
    const channel = ownChannel(user, topic)
    if (isChannelName(channel) && this.reaches(channel)) this.publish(channel, data)
  }

  /** Whether a message could reach anyone: a listener here, or another instance, whose listeners are not known here. */
  reaches(channel: string): boolean {
    return this.#parts.hub.hears(channel) || this.#parts.adapter.name !== 'memory'
  }

  /** Whether somebody listens in this instance. */
  isHeardHere(channel: string): boolean {
    return this.#parts.hub.hears(channel)
  }

  /**
   * Closes every socket of a user, in every instance, with 1008. It takes no authority away: a client may connect again, and
   * is judged as at any handshake. Other instances are not waited for, and not reached while the adapter is not connected.
   *
   * @param user identifier
   * @returns how many were closed in this instance
   */
  disconnect(user: string): number {
    this.#order({ disconnect: user })
    return this.#disconnect(user)
  }

  /**
   * Takes a channel from every socket of a user that listens to it, in every instance; each gets `realtime.denied` with the
   * reason `unsubscribed`. Its lock decides whether the user may subscribe again.
   *
   * @param user identifier
   * @returns how many sockets of this instance listened to it
   * @throws InvalidChannel (SVC_REALTIME_CHANNEL)
   */
  unsubscribe(user: string, channel: string): number {
    if (!isChannelName(channel)) throw new InvalidChannel(JSON.stringify(String(channel)))
    this.#order({ unsubscribe: user, channel })
    return this.#unsubscribe(user, channel)
  }

  #order(order: Order): void {
    this.#parts.adapter.publish(ORDERS_CHANNEL, JSON.stringify(order))
  }

  #of(user: string): OpenSocket[] {
    return [...this.#parts.connections].filter((connection) => connection.user === user)
  }

  #disconnect(user: string): number {
    const sockets = this.#of(user)
    for (const socket of sockets) socket.disconnect()
    return sockets.length
  }

  #unsubscribe(user: string, channel: string): number {
    return this.#of(user).filter((socket) => dropChannel(this.#parts.hub, socket, channel, 'unsubscribed')).length
  }

  #obey(data: string): void {
    const { disconnect, unsubscribe, channel } = orderOf(data)
    if (typeof disconnect === 'string') this.#disconnect(disconnect)
    if (typeof unsubscribe === 'string' && isChannelName(channel)) this.#unsubscribe(unsubscribe, channel)
  }

  /** A message of another instance: to local subscribers only. @param data JSON text */
  receive(channel: string, data: string): void {
    if (channel === ORDERS_CHANNEL) this.#obey(data)
    else if (this.#parts.hub.hears(channel)) this.#parts.hub.deliver(channel, messageFrame(channel, data))
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
  if (text === undefined) throw new UnsendableData(`it is a ${typeof data}`)
  return text
}
