/** The section `webhooks` of the OpenAPI document as one channel, whose addresses only the receivers know. Pure. */
import type { WholeDocument } from '../document/document.ts'
import { freeName } from '../document/references.ts'
import { type ChannelParts, texts } from './channel-parts.ts'
import type { PayloadSchemas } from './payload-schemas.ts'

interface Webhook {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Header & { readonly $ref?: string })[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }
}

interface Header {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: object
}

const JSON_TYPE = 'application/json'

/** @returns none without webhooks */
export function describeWebhooks(
  { webhooks = {}, components }: WholeDocument,
  schemas: PayloadSchemas
): ChannelParts[] {
  const events = Object.entries(webhooks).flatMap(([event, item]) => {
    const { post } = item as { readonly post?: Webhook }
    return post === undefined ? [] : [[event, post] as const]
  })
  if (events.length === 0) return []
  const headerOf = (given: Header & { readonly $ref?: string }): Header => {
    const [, name = ''] = /^#\/components\/parameters\/([^/]+)$/.exec(given.$ref ?? '') ?? []
    return (components?.parameters?.[name] as Header | undefined) ?? given
  }
  const taken = new Set<string>()
  const messages = events.map(([event, { summary, description, parameters = [], requestBody }]) => {
    const headers = parameters.map(headerOf).filter((header) => header.in === 'header')
    const payload = schemas.payload(requestBody?.content?.[JSON_TYPE]?.schema)
    // As part of a reference.
    const name = freeName(event.replaceAll(/[^\w.-]+/g, '-'), 'message', taken)
    return [
      name,
      {
        name: event,
        title: event,
        ...(summary !== undefined && { summary }),
        ...texts(description),
        ...headersOf(headers),
        ...payload
      }
    ] as const
  })
  return [
    {
      name: 'webhooks',
      proofs: [],
      channel: { address: null, title: 'Requests to the endpoints of receivers' },
      messages: Object.fromEntries(messages),
      operations: messages.map(([message]) => ({ action: 'send', message }))
    }
  ]
}

function headersOf(headers: readonly Header[]): { headers?: object } {
  if (headers.length === 0) return {}
  const properties = headers.map(({ name = '', schema = {}, description }) => [
    name,
    { ...schema, ...(description !== undefined && { description }) }
  ])
  const required = headers.flatMap(({ name = '', required }) => (required === true ? [name] : []))
  return { headers: { type: 'object', required, properties: Object.fromEntries(properties) } }
}
