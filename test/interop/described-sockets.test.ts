/**
 * The AsyncAPI document of an application against the JSON Schema of its authors, and its WebSockets driven by what it says:
 * the address that it names, messages made from its schemas, and answers held against its schemas by another validator.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import Fastify from 'fastify'
import { createGeneratorSync, type JsonSchema } from 'json-schema-faker'
import svcDecorators, {
  Body,
  controller,
  IsGranted,
  Message,
  WebSocket as OnMessage,
  Param,
  Query,
  route
} from 'svc-decorators'
import svcEvents, { defineEvents } from 'svc-events'
import svcOpenapi, { type AsyncApiDocument } from 'svc-openapi'
import svcRealtime from 'svc-realtime'
import svcSecurity from 'svc-security'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { asyncApiFaults, resolve } from '../support/async-api-schema.ts'
import { SocketClient } from '../support/socket-client.ts'

const bid = z.object({ amount: z.number().int().positive(), note: z.string().max(20).optional() })
const accepted = {
  type: 'object',
  required: ['lot', 'price'],
  properties: { lot: { type: 'string' }, price: { $ref: 'price#' } }
}

@controller('/api/auction')
class Auction {
  @IsGranted('ROLE_BIDDER')
  @OnMessage('/lots/:lot', {
    schema: {
      body: bid,
      params: { type: 'object', properties: { lot: { type: 'string', description: 'Number of the lot.' } } },
      querystring: { type: 'object', properties: { currency: { enum: ['EUR', 'USD'] } } },
      response: { 200: accepted }
    }
  })
  bid(@Param('lot') lot: string, @Query('currency') currency: string, @Body() { amount }: z.infer<typeof bid>) {
    return { lot, price: { amount, currency: currency ?? 'EUR' }, secret: 'not in the schema' }
  }

  @OnMessage('/text')
  text(@Message() text: string) {
    return { text }
  }

  @OnMessage('/bytes')
  bytes(@Message({ binary: true }) bytes: Buffer) {
    return { length: bytes.length }
  }

  @OnMessage('/secret', { schema: { hide: true } as object })
  secret() {
    return 'secret'
  }

  @route('auction.list', { path: '/list', methods: ['GET', 'WEBSOCKET'] })
  list() {
    return []
  }

  @route('auction.hidden', { path: '/hidden', methods: ['GET', 'WEBSOCKET'], schema: { hide: true } as object })
  hidden() {
    return []
  }

  @IsGranted('ROLE_SVC_ADMIN')
  @OnMessage('/close', { schema: { body: { $ref: 'closing#' } } })
  close(@Body() _order: object) {
    return {}
  }
}

const ROLES: Readonly<Record<string, string>> = { jane: 'ROLE_BIDDER', root: 'ROLE_SVC_ADMIN', ann: 'ROLE_USER' }

async function auction(t: Test) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi, {
    title: 'Auction',
    version: '2.0.0',
    open: true,
    servers: [{ url: 'https://auction.test/live/' }, { url: '/relative' }],
    documents: { partners: { open: true, include: ['Auction'], exclude: ['/api/auction/text'] } }
  })
  await fastify.register(svcSecurity, {
    areas: { api: { pattern: '^/', authenticators: ['desk', 'anonymous'] } },
    parts: {
      authenticators: {
        desk: {
          carrier: 'header',
          openapi: { type: 'apiKey', in: 'header', name: 'x-desk' },
          supports: ({ headers }) => headers['x-desk'] !== undefined,
          createToken: ({ headers }) => headers['x-desk'],
          authenticate: (desk) => ({
            type: 'desk',
            user: { identifier: String(desk), roles: [ROLES[String(desk)] ?? ''] }
          })
        }
      }
    }
  })
  await fastify.register(svcRealtime, {
    channels: [
      { pattern: 'lots:*', anonymous: true, publish: ['ROLE_BIDDER'] },
      { pattern: 'news', requires: ['ROLE_USER'] },
      { pattern: 'svc:desk', requires: ['ROLE_USER'] }
    ]
  })
  fastify.addSchema({
    $id: 'price',
    type: 'object',
    required: ['amount', 'currency'],
    properties: { amount: { type: 'integer' }, currency: { type: 'string' } }
  })
  fastify.addSchema({
    $id: 'closing',
    type: 'object',
    required: ['closingReason'],
    properties: { closingReason: { type: 'string' } }
  })
  await fastify.register(svcEvents, {
    events: defineEvents({
      'lot.sold': {
        data: { type: 'object', required: ['lot'], properties: { lot: { type: 'string' } } },
        version: 1,
        example: { lot: '7' }
      }
    }),
    path: '/api/organizations/:organization',
    encryptionKey: Buffer.alloc(32, 7).toString('base64')
  })
  await fastify.register(svcDecorators, { controllers: [Auction] })
  const url = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const read = async (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
  const document = async (path = '', who?: string) => {
    const answer = await read(`/svc/docs/api${path}/asyncapi`, who === undefined ? {} : { 'x-desk': who })
    return (await answer.json()) as Described
  }
  return { fastify, port: Number(new URL(url).port), read, document }
}

type Schema = Readonly<Record<string, unknown>>

interface Described extends AsyncApiDocument {
  readonly channels: Readonly<Record<string, Channel>>
  readonly operations: Readonly<Record<string, Operation>>
}

interface Channel {
  readonly address: string
  readonly parameters?: Readonly<Record<string, object>>
  readonly messages: Readonly<
    Record<string, { readonly contentType?: string; readonly payload?: { readonly schema: Schema } }>
  >
  readonly bindings?: { readonly ws: { readonly query?: Schema } }
  readonly 'x-socket'?: string
}

interface Operation {
  readonly action: string
  readonly channel: { readonly $ref: string }
  readonly messages: readonly { readonly $ref: string }[]
  readonly reply?: { readonly messages: readonly { readonly $ref: string }[] }
  readonly security?: readonly { readonly $ref: string }[]
}

/** Judges values by the schemas of messages, and makes such values. */
class Payloads {
  readonly #document: Described
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })
  readonly #generator = createGeneratorSync({ seed: 7, optionalsProbability: 1 })

  constructor(document: Described) {
    this.#document = document
    this.#ajv.addSchema(document, 'document', true, false)
  }

  /** @param reference of a message */
  fits(reference: string, value: unknown): boolean {
    const place = reference.split('/').map(encodeURIComponent).join('/').replace('%23', '#')
    const validate = this.#ajv.getSchema(`document${place}/payload/schema`)
    if (validate === undefined) throw new Error(`${reference} has no schema`)
    return validate(value) === true
  }

  made(reference: string): unknown {
    const { payload } = resolve(this.#document, reference) as Channel['messages'][string]
    return this.#generator.generate({ components: this.#document.components, ...payload?.schema } as JsonSchema)
  }
}

t.test('the documents are AsyncAPI 3.0, for each audience what it may call', async (t) => {
  const { document, read, fastify } = await auction(t)
  const main = await document()
  const whole = { main, partners: await document('/partners'), admin: await document('/admin', 'root') }
  for (const [name, each] of Object.entries({ ...whole, events: await (await read('/asyncapi.json')).json() }))
    t.strictSame(asyncApiFaults(each as object), [], name)
  t.match(main, {
    asyncapi: '3.0.0',
    info: { title: 'Auction', version: '2.0.0' },
    servers: { server1: { host: 'auction.test', protocol: 'wss', pathname: '/live' }, server2: undefined }
  })
  const addressesOf = ({ channels }: Described) =>
    Object.values(channels)
      .map(({ address }) => address)
      .sort()
  t.strictSame(addressesOf(main), [
    '/api/auction/bytes',
    '/api/auction/list',
    '/api/auction/lots/{lot}',
    '/api/auction/text',
    '/svc/realtime',
    'lots:{rest}',
    'news',
    null
  ])
  t.strictSame(
    addressesOf(whole.partners),
    ['/api/auction/bytes', '/api/auction/lots/{lot}', null],
    'by tag, without the administration'
  )
  t.strictSame(addressesOf(whole.admin), ['/api/auction/close', null, 'svc:desk'])
  t.match(JSON.stringify(whole.admin), 'closingReason')
  for (const path of ['/json', '/partners/json', '/asyncapi', '/partners/asyncapi'])
    t.notMatch(
      await (await read(`/svc/docs/api${path}`)).text(),
      /closingReason|svc:desk|auction\.(?:secret|hidden)/i,
      `${path} shows no schema of others`
    )
  t.equal((await read('/svc/docs/api/admin/asyncapi')).status, 403)
  t.equal((await read('/svc/docs/api/admin/asyncapi', { 'x-desk': 'jane' })).status, 403)
  t.strictSame(fastify.asyncApiDocuments.get('main')?.(), main)
  t.strictSame([...fastify.asyncApiDocuments.keys()], ['main', 'admin', 'partners'])
})

t.test('a route answers as its channel says', async (t) => {
  const { document, port } = await auction(t)
  const main = await document()
  const payloads = new Payloads(main)
  const operation = main.operations['Auction.bid.message'] as Operation
  const channel = resolve(main, operation.channel.$ref) as Channel
  t.match(channel.parameters, { lot: { description: 'Number of the lot.' } })
  t.match(channel.bindings?.ws, { method: 'GET', query: { properties: { currency: { enum: ['EUR', 'USD'] } } } })
  const [scheme = { $ref: '' }] = operation.security ?? []
  const proof = resolve(main, scheme.$ref) as { type: string; in: string; name: string }
  t.match(proof, { type: 'httpApiKey', in: 'header' })
  const socketPath = `${channel.address.replace('{lot}', '7')}?currency=USD`
  t.equal(await SocketClient.open(port, socketPath), 403, 'without the proof')
  t.equal(await SocketClient.open(port, socketPath, { [proof.name]: 'ann' }), 403, 'without what x-guard says')
  const socket = await SocketClient.opened(port, socketPath, { [proof.name]: 'jane' })
  t.teardown(() => socket.close())
  const [asked = ''] = operation.messages.map(({ $ref }) => $ref)
  const [answer = '', error = ''] = operation.reply?.messages.map(({ $ref }) => $ref) ?? []
  for (let times = 0; times < 5; times += 1) {
    const message = payloads.made(asked)
    t.ok(payloads.fits(asked, message))
    const got = await socket.ask(JSON.stringify(message))
    t.ok(payloads.fits(answer, got), JSON.stringify({ message, got }))
    t.notOk(payloads.fits(error, got), 'no error')
    t.match(got, { lot: '7', price: { currency: 'USD' } })
  }
  for (const wrong of [{}, { amount: 'much' }, { amount: -1 }, { amount: 1, note: 'x'.repeat(21) }]) {
    t.notOk(payloads.fits(asked, wrong))
    const got = await socket.ask(JSON.stringify(wrong))
    t.ok(payloads.fits(error, got), JSON.stringify(got))
    t.match(got, { statusCode: 400 })
  }
})

t.test('messages without a schema are described as they are read', async (t) => {
  const { document } = await auction(t)
  const { channels } = await document()
  t.match(channels['Auction.text']?.messages, {
    message: { contentType: 'text/plain', payload: { schema: { type: 'string' } } },
    answer: { description: 'Its content is not described.', payload: undefined }
  })
  t.match(channels['Auction.bytes']?.messages.message, { contentType: 'application/octet-stream', payload: undefined })
  t.match(channels['svc.realtime']?.messages, { message: { payload: undefined }, answer: undefined })
})

t.test('the frames of a channel are those that the socket takes and sends', async (t) => {
  const { fastify, document, port } = await auction(t)
  const main = await document()
  const payloads = new Payloads(main)
  const lots = main.channels['lots-rest-'] as Channel
  const at = (message: string) => `#/channels/lots-rest-/messages/${message}`
  const answersOf = (message: string) =>
    main.operations[`lots-rest-.${message}`]?.reply?.messages.map(({ $ref }) => $ref)
  const socket = await SocketClient.opened(port, lots['x-socket'] ?? '', { 'x-desk': 'jane' })
  const stranger = await SocketClient.opened(port, lots['x-socket'] ?? '')
  t.teardown(() => {
    socket.close()
    stranger.close()
  })
  await Promise.all([socket.next(), stranger.next()])
  const ask = async (client: SocketClient, message: string) => {
    const frame = payloads.made(at(message)) as { params: { channel: string } }
    frame.params.channel = lots.address.replace('{rest}', '7')
    t.ok(payloads.fits(at(message), frame))
    return client.ask(JSON.stringify(frame))
  }
  t.strictSame(answersOf('subscribe'), [at('done'), at('refused')])
  for (const client of [socket, stranger]) t.ok(payloads.fits(at('done'), await ask(client, 'subscribe')))
  fastify.realtime.publish('lots:7', { price: 3 })
  for (const client of [socket, stranger]) t.ok(payloads.fits(at('message'), await client.next()))
  t.ok(payloads.fits(at('message'), await ask(socket, 'publish')), 'the publisher listens too')
  t.ok(payloads.fits(at('done'), await socket.next()))
  t.ok(payloads.fits(at('message'), await stranger.next()))
  t.ok(payloads.fits(at('denied'), await ask(stranger, 'publish')), 'refused to those who may only listen')
  t.ok(payloads.fits(at('refused'), await stranger.next()))
  t.notOk(
    payloads.fits(at('message'), { jsonrpc: '2.0', method: 'channel.message', params: { channel: 'news', data: 1 } })
  )
  t.ok(payloads.fits(at('done'), await ask(socket, 'unsubscribe')))
  t.notOk(main.operations['news.publish'], 'a channel that only the server writes to')
})

t.test('webhooks are messages that the application sends, with examples that are some', async (t) => {
  const { fastify, document } = await auction(t)
  t.strictSame(await fastify.apiDocuments.get('main')?.exampleFaults(), [])
  const main = await document()
  t.match(main.operations['webhooks.lot.sold'], { action: 'send', reply: undefined })
  const { messages } = main.channels.webhooks as Channel
  t.match(messages['lot.sold'], {
    headers: { required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'] },
    payload: { schema: { properties: { type: { const: 'lot.sold' }, data: { required: ['lot'] } } } }
  })
})
