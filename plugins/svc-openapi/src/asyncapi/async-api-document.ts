/**
 * The AsyncAPI 3 document: WebSocket routes, channels and webhooks, of what an audience reads in OpenAPI. Each is a channel
 * with its messages; `receive` is what clients send, `send` what the application sends by itself. Pure.
 */
import type { WholeDocument } from '../document/document.ts'
import { freeName } from '../document/references.ts'
import { describeChannel } from './channel.ts'
import type { ChannelParts } from './channel-parts.ts'
import { PayloadSchemas } from './payload-schemas.ts'
import { asyncSecuritySchemes } from './security-schemes.ts'
import { describeSocketRoute } from './socket-channel.ts'
import { describeWebhooks } from './webhook-channel.ts'

/** An AsyncAPI 3.0 document, with the extensions of svc. */
export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0'
  readonly info: object
  readonly defaultContentType: string
  readonly servers?: Readonly<Record<string, object>>
  readonly channels: Readonly<Record<string, object>>
  readonly operations: Readonly<Record<string, object>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

export function asyncApiDocument(document: WholeDocument): AsyncApiDocument {
  const schemas = new PayloadSchemas(document.components?.schemas ?? {})
  const parts = [
    ...(document['x-websocket-routes'] ?? []).map((route) => describeSocketRoute(route, schemas)),
    ...(document['x-channels'] ?? []).map((channel) => describeChannel(channel, schemas)),
    ...describeWebhooks(document, schemas)
  ]
  const taken = new Set<string>()
  const named = parts.map((part) => [freeName(part.name.replaceAll(/[^\w.-]+/g, '-'), 'channel', taken), part] as const)
  const servers = serversOf(document.servers ?? [])
  const schemes = asyncSecuritySchemes(
    parts.flatMap(({ proofs }) => proofs),
    document.components?.securitySchemes ?? {}
  )
  return {
    asyncapi: '3.0.0',
    info: infoOf(document.info),
    defaultContentType: 'application/json',
    ...(Object.keys(servers).length > 0 && { servers }),
    channels: Object.fromEntries(named.map(([name, { channel, messages }]) => [name, { ...channel, messages }])),
    operations: Object.assign({}, ...named.map(([name, part]) => operationsOf(name, part))) as Record<string, object>,
    components: {
      schemas: schemas.components,
      ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes })
    }
  }
}

function operationsOf(channel: string, { operations }: ChannelParts): Record<string, object> {
  const reference = { $ref: `#/channels/${channel}` }
  const messageOf = (name: string) => ({ $ref: `#/channels/${channel}/messages/${name}` })
  return Object.fromEntries(
    operations.map(({ message, replies = [], ...operation }) => [
      `${channel}.${message}`,
      {
        ...operation,
        channel: reference,
        messages: [messageOf(message)],
        ...(replies.length > 0 && { reply: { channel: reference, messages: replies.map(messageOf) } })
      }
    ])
  )
}

/** Only what both descriptions have. */
const INFO = ['title', 'version', 'description', 'termsOfService', 'contact', 'license']

function infoOf(info: object = {}): object {
  return Object.fromEntries(Object.entries(info).filter(([key]) => INFO.includes(key)))
}

const PROTOCOLS: Readonly<Record<string, string>> = { 'http:': 'ws', 'https:': 'wss', 'ws:': 'ws', 'wss:': 'wss' }

/** One without a host cannot be said. */
function serversOf(servers: NonNullable<WholeDocument['servers']>): Record<string, object> {
  const described = servers.flatMap(({ url, description, variables }, index): Array<[string, object]> => {
    const { protocol = '', host = '', pathname = '' } = URL.parse(url) ?? {}
    const asyncProtocol = PROTOCOLS[protocol]
    if (asyncProtocol === undefined) return []
    const path = pathname.replace(/\/$/, '').replaceAll('%7B', '{').replaceAll('%7D', '}')
    const said = { ...(description !== undefined && { description }), ...(variables !== undefined && { variables }) }
    return [[`server${index + 1}`, { host, protocol: asyncProtocol, ...(path !== '' && { pathname: path }), ...said }]]
  })
  return Object.fromEntries(described)
}
