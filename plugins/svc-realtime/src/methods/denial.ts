/** A refused channel, told three times: to the caller, as a notice to the socket, and to the journal. */
import type { FrameJournal } from '../journal/frame-journal.ts'
import { RpcCode } from '../protocol/codes.ts'
import { RpcFailure } from '../protocol/rpc-failure.ts'
import type { Peer } from './method.ts'

export type DenialReason = 'forbidden' | 'limit'

export function denyChannel(peer: Peer, channel: string, reason: DenialReason, journal: FrameJournal): RpcFailure {
  journal.denied(peer.request, { resource: channel, reason })
  peer.notify('realtime.denied', { channel, reason })
  const message = reason === 'limit' ? 'too many channels on this socket' : 'access denied'
  return new RpcFailure(RpcCode.FORBIDDEN, message, { status: 403, channel, reason })
}
