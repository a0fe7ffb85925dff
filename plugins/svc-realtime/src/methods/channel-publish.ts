/** `channel.publish {channel, data}`: a message of a client, to a channel whose lock lets clients publish. */
import type { ChannelGate } from '../channels/channel-gate.ts'
import { isChannelName } from '../channels/channel-name.ts'
import { UnsendableData } from '../errors.ts'
import type { FrameJournal } from '../journal/frame-journal.ts'
import { invalidParams } from '../protocol/rpc-failure.ts'
import { denyChannel } from './denial.ts'
import type { Answer, Method, Params, Peer } from './method.ts'

export interface PublishParts {
  readonly gate: ChannelGate
  readonly journal: FrameJournal
  readonly publish: (channel: string, data: unknown) => void
}

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
