/** What the compiler knows of decorators, contexts and decorations. */
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  Anonymous,
  Body,
  BypassFirewall,
  type CompiledRoute,
  type ControllerContext,
  type ControllerRoute,
  Cron,
  Ctx,
  CurrentUser,
  compileController,
  controller,
  Get,
  type Infer,
  IsGranted,
  Job,
  Message,
  Post,
  route,
  WebSocket
} from 'svc-decorators'
import type { CurrentJob } from 'svc-kernel'
import { expect, test } from 'tstyche'
import type { WebSocket as ServerSocket } from 'ws'
import { z } from 'zod'

test('decorators go where they belong', () => {
  @controller('/api')
  @IsGranted(['A', 'B'], { subject: 'id' })
  @BypassFirewall
  class Hello {
    @Get('/:id', { name: 'x', bodyLimit: 1 })
    @Anonymous()
    @BypassFirewall()
    hello(@CurrentUser() _user: unknown, @Ctx() _context: unknown, @Body({ stream: true }) _body: unknown): void {}

    @WebSocket('/ws')
    @BypassFirewall
    socket(@Message({ binary: true }) _message: Buffer): void {}
  }
  expect(compileController(Hello)).type.toBe<ControllerRoute[]>()
})

test('what is misspelt does not compile', () => {
  expect(Get).type.not.toBeCallableWith('/x', { bodyLimti: 1 })
  expect(WebSocket).type.not.toBeCallableWith('/x', { bodyLimit: 1 })
  expect(IsGranted).type.not.toBeCallableWith('A', { subjet: 'id' })
  expect(route).type.not.toBeCallableWith('x', { method: 'GTE' })
  expect(route).type.toBeCallableWith('x', { methods: ['GET', 'websocket'] })
  expect(controller).type.not.toBeCallableWith(7)
})

test('the context is told apart by its transport', () => {
  const channel = (context: ControllerContext) => {
    if (context.transport === 'JOB') return context.job
    return context.transport === 'HTTP' ? context.reply : context.socket
  }
  expect(channel).type.toBe<(context: ControllerContext) => CurrentJob | FastifyReply | ServerSocket>()
  expect<ControllerContext>().type.not.toHaveProperty('reply')
})

test('a job takes what the schema of its body gives, and a schedule has a zone', () => {
  const order = z.object({ order: z.string(), copies: z.coerce.number() })
  class Orders {
    send(_order: { order: string; copies: number }): void {}
    count(_copies: number): void {}
  }
  const descriptor = <Key extends keyof Orders>(key: Key) =>
    Object.getOwnPropertyDescriptor(Orders.prototype, key) as TypedPropertyDescriptor<Orders[Key]>
  const job = Job('order.send', { body: order, retries: 2, unique: ({ order }) => order.toString() })
  expect(job).type.toBeCallableWith(Orders.prototype, 'send', descriptor('send'))
  expect(job).type.not.toBeCallableWith(Orders.prototype, 'count', descriptor('count'))
  expect(Job).type.not.toBeCallableWith('x', { retires: 2 })
  expect(Cron).type.toBeCallableWith('@daily', { zone: 'UTC', catchUp: 'none', as: 'bot' })
  expect(Cron).type.not.toBeCallableWith('@daily', {})
  expect(Cron).type.not.toBeCallableWith('@daily', { zone: 'UTC', overlap: 'stop' })
})

test('the plugin decorates the instance', () => {
  expect<FastifyInstance['controllers']>().type.toBe<readonly CompiledRoute[]>()
})

test('a parameter takes what the schema of the body gives', () => {
  const Note = z.object({ title: z.string(), at: z.coerce.date() })
  const Drawn = Type.Object({ title: Type.String() })
  expect<Infer<typeof Note>>().type.toBe<{ title: string; at: Date }>()
  expect<Infer<typeof Drawn>>().type.toBe<{ title: string }>()
  expect<Infer<{ type: 'object' }>>().type.toBe<unknown>()

  const method = <Method>(): TypedPropertyDescriptor<Method> => ({})
  const note = Post('/', { body: Note })
  expect(note).type.toBeCallableWith({}, 'x', method<(note: Infer<typeof Note>) => void>())
  expect(note).type.toBeCallableWith({}, 'x', method<(id: string, note: { title: string }) => Promise<void>>())
  expect(note).type.toBeCallableWith({}, 'x', method<(context: ControllerContext) => void>())
  expect(note).type.toBeCallableWith({}, 'x', method<() => void>())
  expect(note).type.toBeCallableWith({}, 'x', Object.getOwnPropertyDescriptor({}, 'x'))
  expect(note).type.not.toBeCallableWith({}, 'x', method<(note: { title: string; at: string }) => void>())
  expect(note).type.not.toBeCallableWith({}, 'x', method<(id: string) => void>())

  const drawn = Post('/', { schema: { body: Drawn } })
  expect(drawn).type.toBeCallableWith({}, 'x', method<(note: { title: string }) => void>())
  expect(drawn).type.not.toBeCallableWith({}, 'x', method<(note: { title: number }) => void>())
  const plain = Post('/', { body: { type: 'object' } })
  expect(plain).type.toBeCallableWith({}, 'x', method<(note: { title: number }) => void>())
  expect(WebSocket('/', { body: Note })).type.toBeCallableWith({}, 'x', method<(text: string) => void>())
  expect(WebSocket('/', { body: Note })).type.not.toBeCallableWith({}, 'x', method<(n: number) => void>())
})

test('decorated methods are checked where they are written', () => {
  @controller()
  class Notes {
    @Post('/', { body: z.object({ n: z.coerce.number() }), query: z.object({}), response: z.object({}) })
    write(@Body() _note: { n: number }, @CurrentUser() _user: unknown): void {}
  }
  expect(compileController(Notes)).type.toBe<ControllerRoute[]>()
})

test('U11: what can be no schema does not compile; what describes a route does', () => {
  expect(Post).type.not.toBeCallableWith('/', { body: 5 })
  expect(Post).type.not.toBeCallableWith('/', { query: 'string' })
  expect(Post).type.toBeCallableWith('/', { body: true })
  const callable: (value: unknown) => boolean = () => true
  expect(Post).type.toBeCallableWith('/', { body: callable })
  expect(Post).type.toBeCallableWith('/', { schema: { consumes: ['multipart/form-data'], tags: ['files'] } })
})
