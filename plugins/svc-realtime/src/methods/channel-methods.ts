/** The methods of channels: `channel.subscribe`, `channel.unsubscribe` and `channel.publish`. */
import { andThen, isStepUp } from 'svc-kernel/plugin'
import type { ReportDenial } from '../audit-journal.ts'
import { type ChannelAction, type ChannelGate, isChannelName } from '../channels/channel-locks.ts'
import type { Hub } from '../channels/hub.ts'
import { UnsendableData } from '../errors.ts'
import { failureFor, invalidParams, RpcCode, RpcFailure } from '../json-rpc.ts'
import { dropChannel } from './drop-channel.ts'
import type { Answer, Method, Peer } from './method.ts'

export interface ChannelParts {
  readonly gate: ChannelGate
  readonly hub: Hub
  readonly reportDenial: ReportDenial
  readonly maxChannels: number
  readonly publish: (channel: string, data: unknown) => void
}

const NO_NAME = 'channel is not a channel name'

/** Asks the locks of the channels that a socket listens to again: one that refuses now takes its channel from it. */
export function askLocksAgain(
  { gate, hub, reportDenial }: Pick<ChannelParts, 'gate' | 'hub' | 'reportDenial'>,
  peer: Peer
): void {
  for (const channel of [...peer.channels]) {
    const conclude = (refused: Error | null): void => {
      if (refused === null || !dropChannel(hub, peer, channel, 'forbidden')) return
      reportDenial(peer.request, { resource: channel, reason: 'forbidden' })
    }
    void andThen(gate.refusal(peer.request, channel, 'subscribe'), conclude)
  }
}

export function channelMethods(parts: ChannelParts): Readonly<Record<string, Method>> {
  const { gate, hub, reportDenial, maxChannels, publish } = parts

  /** Reports a refused channel to the caller, as a notice to the socket, and to the journal. @param asked what to prove */
  const deny = (peer: Peer, channel: string, reason: 'forbidden' | 'limit', asked: object = {}): RpcFailure => {
    reportDenial(peer.request, { resource: channel, reason })
    peer.notify('realtime.denied', { channel, reason })
    const message = reason === 'limit' ? 'too many channels on this socket' : 'access denied'
    return new RpcFailure(RpcCode.FORBIDDEN, message, { status: 403, channel, reason, ...asked })
  }

  /** Acts where the lock lets the peer: in the same turn, unless the lock takes its time. */
  const guarded = (peer: Peer, channel: string, action: ChannelAction, act: () => Answer): Answer | Promise<Answer> => {
    return andThen(gate.refusal(peer.request, channel, action), (refused) =>
      refused === null
        ? act()
        : deny(peer, channel, 'forbidden', isStepUp(refused) ? failureFor(refused, true).data : {})
    )
  }

  return {
    /** `{channel}`: from here on the socket gets the messages of a channel whose lock lets it. */
    'channel.subscribe': {
      concurrent: false,
      run(peer, { channel }) {
        if (!isChannelName(channel)) return invalidParams(NO_NAME)
        if (peer.channels.size >= maxChannels && !peer.channels.has(channel)) return deny(peer, channel, 'limit')
        return guarded(peer, channel, 'subscribe', () => {
          // The lock may have taken its time; a socket that is gone must leave nothing in the hub.
          if (peer.open) {
            hub.join(channel, peer)
            peer.channels.add(channel)
          }
          return { channel }
        })
      }
    },

    /** `{channel}`: no more messages of that channel. The answer is the same where it did not listen. */
    'channel.unsubscribe': {
      concurrent: false,
      run(peer, { channel }) {
        if (!isChannelName(channel)) return invalidParams(NO_NAME)
        hub.leave(channel, peer)
        peer.channels.delete(channel)
        return { channel }
      }
    },

    /** `{channel, data}`: a message of a client, to a channel whose lock lets clients publish. */
    'channel.publish': {
      concurrent: false,
      run(peer, { channel, data }) {
        if (!isChannelName(channel)) return invalidParams(NO_NAME)
        if (data === undefined) return invalidParams('data is required; it may be null')
        return guarded(peer, channel, 'publish', () => {
          try {
            publish(channel, data)
          } catch (error) {
            // Data that was parsed has a JSON form, unless it is nested deeper than the stack goes.
            if (error instanceof UnsendableData) return invalidParams('data is nested too deeply')
            throw error
          }
          return { channel }
        })
      }
    }
  }
}
