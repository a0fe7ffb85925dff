/** What the compiler knows of decorators, contexts and decorations. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  Anonymous,
  Body,
  BypassFirewall,
  type CompiledRoute,
  type ControllerContext,
  type ControllerRoute,
  Ctx,
  CurrentUser,
  compileController,
  controller,
  Get,
  IsGranted,
  Message,
  route,
  WebSocket
} from 'svc-decorators'
import { expect, test } from 'tstyche'
import type { WebSocket as ServerSocket } from 'ws'

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
  const channel = (context: ControllerContext) => (context.transport === 'HTTP' ? context.reply : context.socket)
  expect(channel).type.toBe<(context: ControllerContext) => FastifyReply | ServerSocket>()
  expect<ControllerContext>().type.not.toHaveProperty('reply')
})

test('the plugin decorates the instance', () => {
  expect<FastifyInstance['controllers']>().type.toBe<readonly CompiledRoute[]>()
})
