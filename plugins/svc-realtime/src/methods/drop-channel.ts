/** Takes a channel from a socket that listens to it, and says so: by a lock that refuses now, or because the application says so. */
import type { Hub } from '../channels/hub.ts'
import type { Peer } from './method.ts'

/** Why a socket does not get, or no longer gets, the messages of a channel. */
export type DenialReason = 'forbidden' | 'limit' | 'unsubscribed'

/** Takes a channel from a socket that listens to it, and notifies the socket. @returns `false` where it does not listen */
export function dropChannel(hub: Hub, peer: Peer, channel: string, reason: DenialReason): boolean {
  if (!peer.channels.delete(channel)) return false
  hub.leave(channel, peer)
  peer.notify('realtime.denied', { channel, reason })
  return true
}
