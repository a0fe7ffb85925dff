/** Raw bodies: the exact bytes, whatever the content type, bounded, and harmless when left unread. */

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import {
  Body,
  Ctx,
  compileController,
  controller,
  Headers,
  type HttpContext,
  IsGranted,
  Post
} from '../../src/index.ts'
import { bodyOf, rawRequest } from '../support/raw-request.ts'

@controller('/raw')
class Raw {
  @Post('/') async hex(
    @Body({ stream: true }) body: Readable,
    @Headers('content-type') type: string,
    @Ctx() { reply }: HttpContext
  ): Promise<string> {
    reply.header('x-type', type ?? 'none')
    return (await buffer(body)).toString('hex')
  }

  @Post('/events') events(@Body({ stream: true }) body: Readable, @Ctx() { reply }: HttpContext): unknown {
    let size = 0
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    body.on('end', () => {
      reply.send({ size })
    })
    return reply
  }

  @Post('/unread') unread(@Body({ stream: true }) _body: Readable): string {
    return 'unread'
  }

  @Post('/dropped') dropped(@Body({ stream: true }) body: Readable): string {
    body.once('data', () => {
      body.destroy()
    })
    return 'dropped'
  }

  @Post('/guarded') @IsGranted('ROLE_A') guarded(@Body({ stream: true }) _body: Readable): string {
    return 'never'
  }

  @Post('/parsed') parsed(@Body() body: unknown): unknown {
    return body
  }
}

async function listen(t: Test, bodyLimit = 1_048_576): Promise<FastifyInstance> {
  const fastify = createFastify({ bodyLimit }) as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  for (const route of compileController(Raw)) fastify.route(route)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return fastify
}

function post(path: string, headers: string, connection = 'close'): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n${headers}\r\n`
}

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, index) => index))

t.test('byte for byte, for every content type and none', async (t) => {
  const fastify = await listen(t)
  for (const type of [
    'application/json',
    'text/plain',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'not a type',
    null
  ]) {
    const header = type === null ? '' : `content-type: ${type}\r\n`
    const answer = await rawRequest(
      fastify,
      post('/raw', `${header}content-length: 256\r\n`),
      EVERY_BYTE.subarray(0, 100),
      EVERY_BYTE.subarray(100)
    )
    t.match(answer, /^HTTP\/1\.1 200/, `${type}`)
    t.match(answer, `x-type: ${type ?? 'none'}`, 'the controller sees the header as it came')
    t.equal(bodyOf(answer), EVERY_BYTE.toString('hex'))
  }
})

t.test('chunked, empty and JSON with odd spacing', async (t) => {
  const fastify = await listen(t)
  const chunked = await rawRequest(
    fastify,
    post('/raw', 'content-type: application/json\r\ntransfer-encoding: chunked\r\n'),
    '3\r\n{ "\r\n4\r\na":1\r\n1\r\n}\r\n0\r\n\r\n'
  )
  t.equal(bodyOf(chunked), Buffer.from('{ "a":1}').toString('hex'))
  t.equal(bodyOf(await rawRequest(fastify, post('/raw', 'content-length: 0\r\n'))), '')
})

t.test('bodyLimit: announced before the controller, else while it reads', async (t) => {
  const fastify = await listen(t, 10)
  const announced = await rawRequest(fastify, post('/raw', 'content-length: 11\r\n', 'keep-alive'), 'x'.repeat(11))
  t.match(announced, /^HTTP\/1\.1 413/)
  t.match(announced, /FST_ERR_CTP_BODY_TOO_LARGE/)
  const chunked = await rawRequest(
    fastify,
    post('/raw', 'transfer-encoding: chunked\r\n', 'keep-alive'),
    'b\r\n12345678901\r\n0\r\n\r\n'
  )
  t.match(chunked, /^HTTP\/1\.1 413/)
  t.match(chunked, /connection: close/)
  t.match(await rawRequest(fastify, post('/raw', 'content-length: 10\r\n'), '1234567890'), /^HTTP\/1\.1 200/)
})

t.test('an unread or half-read body does not block the connection', async (t) => {
  const fastify = await listen(t)
  const big = Buffer.alloc(500_000, 'x')
  for (const path of ['/raw/unread', '/raw/dropped']) {
    const answer = await rawRequest(
      fastify,
      post(path, `content-length: ${big.length}\r\n`, 'keep-alive'),
      big,
      post('/raw', 'content-length: 1\r\n'),
      'a'
    )
    t.equal(answer.match(/HTTP\/1\.1 200/g)?.length, 2, path)
    t.equal(answer.slice(-2), '61')
  }
})

t.test('a client that leaves halfway does not bring the process down', async (t) => {
  const fastify = await listen(t)
  const { connect } = await import('node:net')
  const { port } = fastify.server.address() as { port: number }
  const aborted = new Promise<void>((resolve) => {
    fastify.server.once('connection', (socket) => {
      socket.once('close', () => {
        resolve()
      })
    })
  })
  const socket = connect({ host: '127.0.0.1', port })
  socket.write(`${post('/raw/events', 'content-length: 100\r\n')}half`, () => {
    socket.destroy()
  })
  await aborted
  t.match(await rawRequest(fastify, post('/raw/events', 'content-length: 2\r\n'), 'ok'), '{"size":2}')
})

t.test('a guard decides before the first byte', async (t) => {
  const fastify = await listen(t, 10)
  t.match(await rawRequest(fastify, post('/raw/guarded', 'content-length: 11\r\n'), 'x'.repeat(11)), /^HTTP\/1\.1 403/)
})

t.test('other routes keep their parsers', async (t) => {
  const fastify = await listen(t)
  const answer = await rawRequest(
    fastify,
    post('/raw/parsed', 'content-type: application/json\r\ncontent-length: 8\r\n'),
    '{ "a":1}'
  )
  t.equal(bodyOf(answer), '{"a":1}')
})
