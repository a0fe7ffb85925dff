/** The methods of channels: `channel.subscribe`, `channel.unsubscribe` and `channel.publish`. */
import type { FrameJournal } from '../audit-journal.ts'
import { type ChannelGate, isChannelName } from '../channels/channel-locks.ts'
import type { Hub } from '../channels/hub.ts'
import { UnsendableData } from '../errors.ts'
import { invalidParams, RpcCode, RpcFailure } from '../json-rpc.ts'
import type { Answer, Method, Params, Peer } from './method.ts'

type DenialReason = 'forbidden' | 'limit'

/** Reports a refused channel to the caller, as a notice to the socket, and to the journal. */
function denyChannel(peer: Peer, channel: string, reason: DenialReason, journal: FrameJournal): RpcFailure {
  journal.denied(peer.request, { resource: channel, reason })
  peer.notify('realtime.denied', { channel, reason })
  const message = reason === 'limit' ? 'too many channels on this socket' : 'access denied'
  return new RpcFailure(RpcCode.FORBIDDEN, message, { status: 403, channel, reason })
}

export interface SubscribeParts {
  readonly gate: ChannelGate
  readonly hub: Hub
  readonly journal: FrameJournal
  readonly maxChannels: number
}

/** `channel.subscribe {channel}`: from here on the socket gets the messages of a channel whose lock lets it. */
export class ChannelSubscribe implements Method {
  readonly concurrent = false
  readonly #parts: SubscribeParts

  constructor(parts: SubscribeParts) {
    this.#parts = parts
  }

  run(peer: Peer, { channel }: Params): Answer | Promise<Answer> {
    if (!isChannelName(channel)) return invalidParams('channel is not a channel name')
    const { gate, journal, maxChannels } = this.#parts
    if (peer.channels.size >= maxChannels && !peer.channels.has(channel)) {
      return denyChannel(peer, channel, 'limit', journal)
    }
    const admits = gate.admits(peer.request, channel, 'subscribe')
    if (typeof admits === 'boolean') return this.#conclude(peer, channel, admits)
    return admits.then((settled) => this.#conclude(peer, channel, settled))
  }

  #conclude(peer: Peer, channel: string, admitted: boolean): Answer {
    if (!admitted) return denyChannel(peer, channel, 'forbidden', this.#parts.journal)
    // The lock may have taken its time; a socket that is gone must leave nothing in the hub.
    if (peer.open) {
      this.#parts.hub.join(channel, peer)
      peer.channels.add(channel)
    }
    return { channel }
  }
}

/** `channel.unsubscribe {channel}`: no more messages of that channel. The answer is the same where it did not listen. */
export class ChannelUnsubscribe implements Method {
  readonly concurrent = false
  readonly #hub: Hub

  constructor(hub: Hub) {
    this.#hub = hub
  }

  run(peer: Peer, { channel }: Params): Answer {
    if (!isChannelName(channel)) return invalidParams('channel is not a channel name')
    this.#hub.leave(channel, peer)
    peer.channels.delete(channel)
    return { channel }
  }
}

export interface PublishParts {
  readonly gate: ChannelGate
  readonly journal: FrameJournal
  readonly publish: (channel: string, data: unknown) => void
}

/** `channel.publish {channel, data}`: a message of a client, to a channel whose lock lets clients publish. */
export class ChannelPublish implements Method {
  readonly concurrent = false
  readonly #parts: PublishParts

  constructor(parts: PublishParts) {
    this.#parts = parts
  }

  run(peer: Peer, { channel, data }: Params): Answer | Promise<Answer> {
    if (!isChannelName(channel)) return invalidParams('channel is not a channel name')
    if (data === undefined) return invalidParams('data is required; it may be null')
    const admits = this.#parts.gate.admits(peer.request, channel, 'publish')
    if (typeof admits === 'boolean') return this.#conclude(peer, channel, data, admits)
    return admits.then((settled) => this.#conclude(peer, channel, data, settled))
  }

  #conclude(peer: Peer, channel: string, data: unknown, admitted: boolean): Answer {
    if (!admitted) return denyChannel(peer, channel, 'forbidden', this.#parts.journal)
    try {
      this.#parts.publish(channel, data)
    } catch (error) {
      // Data that was parsed has a JSON form, unless it is nested deeper than the stack goes.
      if (error instanceof UnsendableData) return invalidParams('data is nested too deeply')
      throw error
    }
    return { channel }
  }
}
