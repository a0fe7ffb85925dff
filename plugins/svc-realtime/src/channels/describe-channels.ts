/**
 * The channels of the options, and the frames that a client sends and gets over the socket, for the description of the API.
 * What applications publish has no schema: their data are described as any. Pure.
 */
import { type ApiChannel, type ApiFrame, describeRequirement } from 'svc-kernel/plugin'
import type { ChannelGuard, ChannelLocks } from './channel-locks.ts'

/** @param socket path of the WebSocket */
export function describeChannels(socket: string, { all }: ChannelLocks): readonly ApiChannel[] {
  // A guard that refuses every client is of a channel that no client needs to know.
  return all.flatMap(({ pattern, subscribe, publish }) =>
    subscribe === 'closed'
      ? []
      : {
          address: pattern.replace(/\*$/, '{rest}'),
          socket,
          guard: subscribe === 'open' ? null : describeRequirement(subscribe),
          frames: framesOf(nameSchema(pattern), publish)
        }
  )
}

function framesOf(channel: object, publish: ChannelGuard): Record<string, ApiFrame> {
  const named = params({ channel })
  const answers = ['done', 'refused']
  const data = { description: 'What the application publishes: any JSON.' }
  return {
    subscribe: { from: 'client', schema: call('channel.subscribe', named), answers },
    unsubscribe: { from: 'client', schema: call('channel.unsubscribe', named), answers },
    ...(publish !== 'closed' && {
      publish: { from: 'client', schema: call('channel.publish', params({ channel, data })), answers } as const
    }),
    message: { from: 'server', schema: notice('channel.message', params({ channel, data })) },
    denied: {
      from: 'server',
      description: 'The socket does not get, or no longer gets, messages of the channel.',
      schema: notice('realtime.denied', params({ channel, reason: { enum: ['forbidden', 'limit', 'unsubscribed'] } }))
    },
    done: { from: 'server', schema: object({ jsonrpc, id, result: object({ channel }) }) },
    refused: {
      from: 'server',
      schema: object({ jsonrpc, id: { type: [...id.type, 'null'] }, error })
    }
  }
}

const jsonrpc = { const: '2.0' }
/** Chosen by the client. */
const id = { type: ['string', 'number'], maxLength: 255 }
const error = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' }, data: { type: 'object' } }
}

function object(properties: object): object {
  return { type: 'object', required: Object.keys(properties), properties }
}

const params = object

function call(method: string, params: object): object {
  return object({ jsonrpc, id, method: { const: method }, params })
}

function notice(method: string, params: object): object {
  return object({ jsonrpc, method: { const: method }, params })
}

function nameSchema(pattern: string): object {
  if (!pattern.endsWith('*')) return { const: pattern }
  const start = pattern.slice(0, -1).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return { type: 'string', maxLength: 255, pattern: `^${start}` }
}
