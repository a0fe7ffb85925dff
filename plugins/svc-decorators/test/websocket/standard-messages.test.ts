/** Messages and their answers by Standard Schemas. */
import t from 'tap'
import * as v from 'valibot'
import { z } from 'zod'
import { Body, Ctx, controller, Get, Query, WebSocket, type WebSocketContext } from '../../src/index.ts'
import { listen } from '../support/listen.ts'
import { TestSocket } from '../support/test-socket.ts'

const title = z.string().trim()
const response = z.object({ title: z.string() })
const query = v.object({ page: v.optional(v.pipe(v.string(), v.transform(Number)), '1') })

@controller()
class Notes {
  @Get('/notes', { query })
  list(@Query('page') page: unknown): unknown {
    return { title: `page ${page}` }
  }

  @WebSocket('/notes', { query, body: z.object({ title: title.min(1) }), response })
  note(@Body() body: object, @Query('page') page: unknown): unknown {
    return { ...body, page }
  }

  @WebSocket('/later', {
    body: v.objectAsync({ title: v.pipeAsync(v.string(), v.trim(), v.checkAsync(free, 'is taken')) })
  })
  later(@Body() body: object): unknown {
    return body
  }

  @WebSocket('/ajv', {
    body: { $async: true, type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
  })
  ajv(@Body() body: unknown): unknown {
    return { body }
  }

  @WebSocket('/none', { body: z.unknown().transform(() => undefined) })
  none(@Body() body: unknown): unknown {
    return { given: body !== undefined }
  }

  @WebSocket('/falsy', { body: title.transform((text) => text.length) })
  falsy(@Body() body: unknown, @Ctx() context: unknown): unknown {
    return { body, text: (context as WebSocketContext).message }
  }
}

async function free(text: string): Promise<boolean> {
  await null
  return text !== 'taken'
}

t.test('the method gets what the schema gives, and the answer holds what its schema names', async (t) => {
  const app = await listen(t, [Notes])
  const socket = await TestSocket.open(app, '/notes?page=3')
  t.strictSame(await socket.ask('{"title":" One ","more":1}'), { title: 'One' })
  t.match(await socket.ask('{"title":" "}'), {
    statusCode: 400,
    code: 'SVC_HTTP_VALIDATION',
    details: [{ path: '/title' }]
  })
  t.strictSame(
    (await app.inject('/notes?page=3')).json(),
    { title: 'page 3' },
    'the GET beside it has no body to judge'
  )
  t.match((await app.inject('/notes?page=1&page=2')).json(), { message: 'the querystring is not valid' })
})

t.test('an asynchronous check, and a value that is falsy', async (t) => {
  const app = await listen(t, [Notes])
  const later = await TestSocket.open(app, '/later')
  t.strictSame(await later.ask('{"title":" One "}'), { title: 'One' })
  t.match(await later.ask('{"title":"taken"}'), { statusCode: 400, details: [{ path: '/title', message: 'is taken' }] })
  const falsy = await TestSocket.open(app, '/falsy')
  t.strictSame(await falsy.ask('""'), { body: 0, text: '""' })
  const none = await TestSocket.open(app, '/none')
  t.strictSame(await none.ask('{"a":1}'), { given: false })
})

t.test('an asynchronous schema of Ajv judges the message, whose own keys are no verdict', async (t) => {
  const socket = await TestSocket.open(
    await listen(t, [Notes], {}, { ajv: { customOptions: { removeAdditional: false } } }),
    '/ajv'
  )
  t.strictSame(await socket.ask('{"n":1,"value":{"n":"x"}}'), { body: { n: 1, value: { n: 'x' } } })
  t.strictSame(await socket.ask('{"n":1,"error":"x"}'), { body: { n: 1, error: 'x' } })
  t.match(await socket.ask('{"n":"x"}'), { statusCode: 400, code: 'SVC_HTTP_VALIDATION', details: [{ path: '/n' }] })
})
