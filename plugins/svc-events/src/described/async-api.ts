/** The AsyncAPI 3 document: the channel of an organisation, its webhooks, and the messages of both. Pure. */
import type { EventType } from '../definitions/event-catalogue.ts'

/** Which doors are open. */
export interface AsyncApiFacts {
  readonly channel: boolean
  readonly webhooks: boolean
}

export function asyncApiDocument(types: readonly EventType[], { channel, webhooks }: AsyncApiFacts): object {
  const messages = Object.fromEntries(types.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }]))
  const channels = {
    ...(channel && {
      organization: {
        address: 'events:{organization}',
        title: 'Events of an organisation, over the WebSocket of svc-realtime',
        parameters: { organization: { description: 'identifier of the organisation' } },
        messages
      }
    }),
    ...(webhooks && {
      webhooks: {
        address: null,
        title: 'Events of an organisation, posted to its endpoints',
        description: 'Signed as Standard Webhooks say: webhook-id, webhook-timestamp, webhook-signature.',
        messages: Object.fromEntries(types.map(({ type }) => [type, { $ref: `#/components/messages/${type}.webhook` }]))
      }
    })
  }
  const operations = Object.fromEntries(
    Object.keys(channels).map((name) => [`send_${name}`, { action: 'send', channel: { $ref: `#/channels/${name}` } }])
  )
  return {
    asyncapi: '3.0.0',
    info: { title: 'Events', version: String(Math.max(1, ...types.map(({ version }) => version))) },
    defaultContentType: 'application/json',
    channels,
    operations,
    components: {
      messages: Object.assign({}, ...types.map((type) => messagesOf(type, { channel, webhooks }))) as object,
      schemas: Object.fromEntries(
        types.map(({ type, schema }) => [type, { schemaFormat: FORMAT, schema: schema ?? {} }])
      )
    }
  }
}

const FORMAT = 'application/schema+json;version=draft-2020-12'

function messagesOf(event: EventType, { channel, webhooks }: AsyncApiFacts): object {
  const { type, description } = event
  const common = { name: type, title: type, ...(description !== null && { summary: description }) }
  const text = { type: 'string' }
  const sent = { id: text, organization: text, ts: { type: 'integer', description: 'epoch ms' } }
  const posted = { id: text, timestamp: { type: 'string', format: 'date-time' }, event: text }
  const headers = {
    type: 'object',
    required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    properties: { 'webhook-id': text, 'webhook-timestamp': text, 'webhook-signature': text }
  }
  return {
    ...(channel && { [type]: { ...common, payload: payload(event, sent) } }),
    ...(webhooks && { [`${type}.webhook`]: { ...common, headers, payload: payload(event, posted) } })
  }
}

function payload({ type, version, schema }: EventType, properties: object): object {
  const all = { ...properties, type: { const: type }, version: { const: version }, data: schema ?? {} }
  return { schemaFormat: FORMAT, schema: { type: 'object', required: Object.keys(all), properties: all } }
}
