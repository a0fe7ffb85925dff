/** A route that answers WebSockets: its address opens the socket, and each message gets an answer or the error body. Pure. */
import type { SocketRoute } from '../document/socket-route.ts'
import { addressParameters, type ChannelParts, texts } from './channel-parts.ts'
import type { PayloadSchemas } from './payload-schemas.ts'
import { askedProofs } from './security-schemes.ts'

const NOT_DESCRIBED = 'Its content is not described.'

export function describeSocketRoute(route: SocketRoute, schemas: PayloadSchemas): ChannelParts {
  const { name, guard, tags = [], message, params, query, headers } = route
  const address = addressOf(route.path)
  const { names, note } = askedProofs(route.security)
  const { properties } = (schemas.properties(params) ?? {}) as { properties?: Parameters<typeof addressParameters>[1] }
  const read = { query: schemas.properties(query), headers: schemas.properties(headers) }
  const bindings = { ws: { method: 'GET', ...defined(read), bindingVersion: '0.1.0' } }
  const sent = schemas.payload(message?.schema)
  const answer = schemas.payload(route.answer)
  return {
    name,
    proofs: names,
    channel: {
      address,
      title: `WebSocket ${address}`,
      ...texts(route.description, guard !== null && `Requires ${guard}.`, note),
      ...addressParameters(address, properties),
      ...(tags.length > 0 && { tags: tags.map((tag) => ({ name: tag })) }),
      ...(guard !== null && { 'x-guard': guard }),
      bindings
    },
    messages: {
      message: {
        title: 'What a client sends',
        ...(message !== undefined && { contentType: message.contentType }),
        ...texts(sent.payload === undefined && NOT_DESCRIBED),
        ...sent
      },
      ...(message !== undefined && {
        answer: {
          title: 'The answer to a message; a method that returns nothing sends none',
          ...texts(answer.payload === undefined && NOT_DESCRIBED),
          ...answer
        },
        error: { title: 'The error body of HTTP', ...schemas.payload({ $ref: '#/components/schemas/Error' }) }
      })
    },
    operations: [
      {
        action: 'receive',
        message: 'message',
        ...(message !== undefined && { replies: ['answer', 'error'] }),
        ...(names.length > 0 && {
          security: names.map((scheme) => ({ $ref: `#/components/securitySchemes/${scheme}` }))
        })
      }
    ]
  }
}

/** Two colons are one; a pattern may have groups. */
const PARAMETER = /::|:(\w+)(?:\((?:[^()\\]|\\.|\([^()]*\))*\))?\??|\*$/g

/** Parameters as AsyncAPI writes them; a last one that may be left out is there. */
function addressOf(path: string): string {
  return path.replace(PARAMETER, (found, name = 'wildcard') => (found === '::' ? ':' : `{${name}}`))
}

function defined(record: Readonly<Record<string, object | undefined>>): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
