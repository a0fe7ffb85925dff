/** A channel that clients listen to over the socket of another route, with the frames of both sides. Pure. */
import type { ApiChannel } from 'svc-kernel/plugin'
import { addressParameters, type ChannelOperation, type ChannelParts, texts } from './channel-parts.ts'
import type { PayloadSchemas } from './payload-schemas.ts'

export function describeChannel(channel: ApiChannel, schemas: PayloadSchemas): ChannelParts {
  const { address, socket, description, guard, frames } = channel
  const entries = Object.entries(frames)
  const answers = new Set(entries.flatMap(([, frame]) => frame.answers ?? []))
  return {
    name: address,
    proofs: [],
    channel: {
      address,
      title: `Channel of the WebSocket ${socket}`,
      ...texts(description, `Its frames go over the WebSocket ${socket}.`, guard !== null && `Requires ${guard}.`),
      ...addressParameters(address),
      ...(guard !== null && { 'x-guard': guard }),
      'x-socket': socket
    },
    messages: Object.fromEntries(
      entries.map(([name, frame]) => [name, { ...texts(frame.description), ...schemas.payload(frame.schema) }])
    ),
    operations: entries.flatMap(([name, frame]): ChannelOperation[] => {
      if (frame.from === 'client') return [{ action: 'receive', message: name, replies: frame.answers ?? [] }]
      return answers.has(name) ? [] : [{ action: 'send', message: name }]
    })
  }
}
