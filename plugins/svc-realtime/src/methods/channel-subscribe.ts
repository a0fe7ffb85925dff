/** `channel.subscribe {channel}`: from here on the socket gets the messages of a channel whose lock lets it. */
import type { ChannelGate } from '../channels/channel-gate.ts'
import { isChannelName } from '../channels/channel-name.ts'
import type { Hub } from '../channels/hub.ts'
import type { FrameJournal } from '../journal/frame-journal.ts'
import { invalidParams } from '../protocol/rpc-failure.ts'
import { denyChannel } from './denial.ts'
import type { Answer, Method, Params, Peer } from './method.ts'

export interface SubscribeParts {
  readonly gate: ChannelGate
  readonly hub: Hub
  readonly journal: FrameJournal
  readonly maxChannels: number
}

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
