/** `channel.unsubscribe {channel}`: no more messages of that channel. Who did not listen gets the same answer. */
import { isChannelName } from '../channels/channel-name.ts'
import type { Hub } from '../channels/hub.ts'
import { invalidParams } from '../protocol/rpc-failure.ts'
import type { Answer, Method, Params, Peer } from './method.ts'

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
