/** The AsyncAPI document of what one audience reads: whole documents, written by hand, and judged by the schema of its authors. */
import asyncApi from '@asyncapi/specs'
import { Ajv } from 'ajv'
import t from 'tap'
import { asyncApiDocument } from '../../src/asyncapi/async-api-document.ts'
import type { WholeDocument } from '../../src/document/document.ts'
import type { SocketRoute } from '../../src/document/socket-route.ts'

const { $schema: _, ...schema } = asyncApi.schemasWithoutId['3.0.0'] as { $schema: string }
const isAsyncApi = new Ajv({ strict: false, validateFormats: false }).compile(schema)

const FORMAT = 'application/schema+json;version=draft-2020-12'
const payload = (schema: object) => ({ payload: { schemaFormat: FORMAT, schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const ERROR = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }
const KNOWN = { asyncapi: '3.0.0', defaultContentType: 'application/json' }
const OF_ERROR = { title: 'The error body of HTTP', ...payload({ $ref: '#/components/schemas/Error/schema' }) }
const ANSWER = 'The answer to a message; a method that returns nothing sends none'
const WS = { ws: { method: 'GET', bindingVersion: '0.1.0' } }

/** Parts of a document that its sockets and webhooks are not. */
function whole(more: Partial<WholeDocument>): WholeDocument {
  const { components, ...rest } = more
  const schemas = { Error: ERROR, ...components?.schemas }
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    paths: { '/unrelated': { get: { operationId: 'unrelated', responses: {} } } },
    ...rest,
    components: { ...components, schemas }
  }
}

const INFO = { title: 'Shop', version: '1.0.0' }
const socket = (more: Partial<SocketRoute>): SocketRoute => ({
  path: '/live',
  name: 'Live.talk',
  guard: null,
  security: [],
  ...more
})

const CASES: readonly (readonly [what: string, given: WholeDocument, expected: object])[] = [
  [
    'an application without sockets and webhooks, and servers by protocol',
    whole({
      info: { ...INFO, description: 'Sells.', 'x-logo': 'no' } as WholeDocument['info'] & object,
      servers: [
        { url: 'https://shop.example/v1/', description: 'Live' },
        { url: '/relative' },
        { url: 'http://{region}.shop.example:8080', variables: { region: { default: 'eu' } } },
        { url: 'ftp://shop.example' }
      ]
    }),
    {
      ...KNOWN,
      info: { ...INFO, description: 'Sells.' },
      servers: {
        server1: { host: 'shop.example', protocol: 'wss', pathname: '/v1', description: 'Live' },
        server3: { host: '{region}.shop.example:8080', protocol: 'ws', variables: { region: { default: 'eu' } } }
      },
      channels: {},
      operations: {},
      components: { schemas: {} }
    }
  ],
  [
    'a route that reads JSON: its address, what opens it, its messages and their schemas',
    whole({
      components: {
        schemas: {
          Bid: { type: 'object', properties: { price: ref('Price') } },
          Price: { type: 'integer' },
          Unused: { type: 'null' }
        },
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'sid' },
          token: { type: 'http', scheme: 'bearer' },
          other: { type: 'http', scheme: 'basic' }
        }
      },
      'x-websocket-routes': [
        socket({
          path: '/lots::all/:lot(l(?:ot|n)[0-9]+)/:side?',
          guard: 'ROLE_BIDDER',
          security: [{ session: [] }, { token: ['bid'] }],
          tags: ['lots'],
          description: 'Bids for a lot.',
          params: {
            type: 'object',
            properties: { lot: { type: 'string', description: 'Its number.' }, side: { enum: ['a', 'b'] } }
          },
          query: { type: 'object', properties: { currency: { type: 'string' } } },
          headers: { properties: { 'x-desk': { type: 'string' } } },
          message: { contentType: 'application/json', schema: ref('Bid') },
          answer: ref('Price')
        })
      ]
    }),
    {
      ...KNOWN,
      info: INFO,
      channels: {
        'Live.talk': {
          address: '/lots:all/{lot}/{side}',
          title: 'WebSocket /lots:all/{lot}/{side}',
          description: 'Bids for a lot.\n\nRequires ROLE_BIDDER.',
          parameters: { lot: { description: 'Its number.' }, side: { enum: ['a', 'b'] } },
          tags: [{ name: 'lots' }],
          'x-guard': 'ROLE_BIDDER',
          bindings: {
            ws: {
              method: 'GET',
              query: { type: 'object', properties: { currency: { type: 'string' } } },
              headers: { type: 'object', properties: { 'x-desk': { type: 'string' } } },
              bindingVersion: '0.1.0'
            }
          },
          messages: {
            message: {
              title: 'What a client sends',
              contentType: 'application/json',
              ...payload({ $ref: '#/components/schemas/Bid/schema' })
            },
            answer: { title: ANSWER, ...payload({ $ref: '#/components/schemas/Price/schema' }) },
            error: OF_ERROR
          }
        }
      },
      operations: {
        'Live.talk.message': {
          action: 'receive',
          channel: { $ref: '#/channels/Live.talk' },
          messages: [{ $ref: '#/channels/Live.talk/messages/message' }],
          reply: {
            channel: { $ref: '#/channels/Live.talk' },
            messages: [
              { $ref: '#/channels/Live.talk/messages/answer' },
              { $ref: '#/channels/Live.talk/messages/error' }
            ]
          },
          security: [{ $ref: '#/components/securitySchemes/session' }, { $ref: '#/components/securitySchemes/token' }]
        }
      },
      components: {
        schemas: {
          Bid: {
            schemaFormat: FORMAT,
            schema: { type: 'object', properties: { price: { $ref: '#/components/schemas/Price/schema' } } }
          },
          Error: { schemaFormat: FORMAT, schema: ERROR },
          Price: { schemaFormat: FORMAT, schema: { type: 'integer' } }
        },
        securitySchemes: {
          session: { type: 'httpApiKey', in: 'cookie', name: 'sid' },
          token: { type: 'http', scheme: 'bearer' }
        }
      }
    }
  ],
  [
    'routes of no controller, of bytes, and of one name; proofs that AsyncAPI cannot ask for',
    whole({
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
      'x-websocket-routes': [
        socket({ path: '/raw/*', name: 'raw route', security: [{ session: [], token: [] }, { key: [] }] }),
        socket({
          path: '/bytes',
          name: 'raw-route',
          security: [{ session: [] }, {}],
          message: { contentType: 'application/octet-stream' },
          answer: { $ref: 'https://elsewhere.example/answer.json' }
        })
      ]
    }),
    {
      ...KNOWN,
      info: INFO,
      channels: {
        'raw-route': {
          address: '/raw/{wildcard}',
          title: 'WebSocket /raw/{wildcard}',
          description: 'Asks for session and token, or for key.',
          parameters: { wildcard: {} },
          bindings: WS,
          messages: { message: { title: 'What a client sends', description: 'Its content is not described.' } }
        },
        'raw-route.channel': {
          address: '/bytes',
          title: 'WebSocket /bytes',
          description: 'A proof may be absent; one is read by session.',
          bindings: WS,
          messages: {
            message: {
              title: 'What a client sends',
              contentType: 'application/octet-stream',
              description: 'Its content is not described.'
            },
            answer: { title: ANSWER, description: 'Its content is not described.' },
            error: OF_ERROR
          }
        }
      },
      operations: {
        'raw-route.message': {
          action: 'receive',
          channel: { $ref: '#/channels/raw-route' },
          messages: [{ $ref: '#/channels/raw-route/messages/message' }]
        },
        'raw-route.channel.message': {
          action: 'receive',
          channel: { $ref: '#/channels/raw-route.channel' },
          messages: [{ $ref: '#/channels/raw-route.channel/messages/message' }],
          reply: {
            channel: { $ref: '#/channels/raw-route.channel' },
            messages: [
              { $ref: '#/channels/raw-route.channel/messages/answer' },
              { $ref: '#/channels/raw-route.channel/messages/error' }
            ]
          }
        }
      },
      components: { schemas: { Error: { schemaFormat: FORMAT, schema: ERROR } } }
    }
  ],
  [
    'a channel: a client asks, the server answers, and sends by itself',
    whole({
      'x-channels': [
        {
          address: 'lots:{lot}',
          socket: '/svc/realtime',
          description: 'Prices.',
          guard: 'ROLE_USER',
          frames: {
            subscribe: {
              from: 'client',
              description: 'From now on.',
              schema: { const: 'on' },
              answers: ['done', 'no']
            },
            leave: { from: 'client', schema: { const: 'off' } },
            done: { from: 'server', schema: { const: 'ok' } },
            no: { from: 'server', schema: ref('Error') },
            price: { from: 'server', schema: ref('Missing') }
          }
        }
      ]
    }),
    {
      ...KNOWN,
      info: INFO,
      channels: {
        'lots-lot-': {
          address: 'lots:{lot}',
          title: 'Channel of the WebSocket /svc/realtime',
          description: 'Prices.\n\nIts frames go over the WebSocket /svc/realtime.\n\nRequires ROLE_USER.',
          parameters: { lot: {} },
          'x-guard': 'ROLE_USER',
          'x-socket': '/svc/realtime',
          messages: {
            subscribe: { description: 'From now on.', ...payload({ const: 'on' }) },
            leave: payload({ const: 'off' }),
            done: payload({ const: 'ok' }),
            no: payload({ $ref: '#/components/schemas/Error/schema' }),
            price: {}
          }
        }
      },
      operations: {
        'lots-lot-.subscribe': {
          action: 'receive',
          channel: { $ref: '#/channels/lots-lot-' },
          messages: [{ $ref: '#/channels/lots-lot-/messages/subscribe' }],
          reply: {
            channel: { $ref: '#/channels/lots-lot-' },
            messages: [{ $ref: '#/channels/lots-lot-/messages/done' }, { $ref: '#/channels/lots-lot-/messages/no' }]
          }
        },
        'lots-lot-.leave': {
          action: 'receive',
          channel: { $ref: '#/channels/lots-lot-' },
          messages: [{ $ref: '#/channels/lots-lot-/messages/leave' }]
        },
        'lots-lot-.price': {
          action: 'send',
          channel: { $ref: '#/channels/lots-lot-' },
          messages: [{ $ref: '#/channels/lots-lot-/messages/price' }]
        }
      },
      components: { schemas: { Error: { schemaFormat: FORMAT, schema: ERROR } } }
    }
  ],
  [
    'webhooks: their headers and bodies, and none that is not posted',
    whole({
      components: {
        parameters: {
          Id: { name: 'webhook-id', in: 'header', required: true, description: 'Its id.', schema: { type: 'string' } },
          Where: { name: 'where', in: 'query', schema: { type: 'string' } }
        }
      },
      webhooks: {
        'lot sold': {
          post: {
            summary: 'Sold',
            description: 'A lot has a buyer.',
            parameters: [
              { $ref: '#/components/parameters/Id' },
              { $ref: '#/components/parameters/Where' },
              { name: 'x-try', in: 'header', schema: { type: 'integer' } }
            ],
            requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['lot'] } } } }
          }
        },
        'lot-sold': { post: {} },
        read: { get: {} }
      }
    }),
    {
      ...KNOWN,
      info: INFO,
      channels: {
        webhooks: {
          address: null,
          title: 'Requests to the endpoints of receivers',
          messages: {
            'lot-sold': {
              name: 'lot sold',
              title: 'lot sold',
              summary: 'Sold',
              description: 'A lot has a buyer.',
              headers: {
                type: 'object',
                required: ['webhook-id'],
                properties: { 'webhook-id': { type: 'string', description: 'Its id.' }, 'x-try': { type: 'integer' } }
              },
              ...payload({ type: 'object', required: ['lot'] })
            },
            'lot-sold.message': { name: 'lot-sold', title: 'lot-sold' }
          }
        }
      },
      operations: {
        'webhooks.lot-sold': {
          action: 'send',
          channel: { $ref: '#/channels/webhooks' },
          messages: [{ $ref: '#/channels/webhooks/messages/lot-sold' }]
        },
        'webhooks.lot-sold.message': {
          action: 'send',
          channel: { $ref: '#/channels/webhooks' },
          messages: [{ $ref: '#/channels/webhooks/messages/lot-sold.message' }]
        }
      },
      components: { schemas: {} }
    }
  ]
]

for (const [what, given, expected] of CASES) {
  t.test(what, async (t) => {
    const described = asyncApiDocument(given)
    t.strictSame(described, expected)
    t.ok(isAsyncApi(described), JSON.stringify(isAsyncApi.errors))
  })
}
