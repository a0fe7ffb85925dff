/** Decorators leave what was written: applied by call, as plain JavaScript does. */
import t from 'tap'
import { declarationsOf, ownDeclarations } from '../../src/declarations/declarations.ts'
import * as svc from '../../src/index.ts'

/** A fresh class with one method of two parameters, and its declarations after `apply`. */
function declared(apply: (Class: new () => object, prototype: object) => void): ReturnType<typeof declarationsOf> {
  class Hello {
    hello(_one: unknown, _two: unknown): void {}
  }
  apply(Hello, Hello.prototype)
  return declarationsOf(Hello)
}

t.test('the short forms declare one method each', async (t) => {
  for (const [decorate, method] of [
    [svc.Get, 'GET'],
    [svc.Post, 'POST'],
    [svc.Put, 'PUT'],
    [svc.Patch, 'PATCH'],
    [svc.Delete, 'DELETE'],
    [svc.WebSocket, 'WEBSOCKET']
  ] as const) {
    const { methods } = declared((_Class, prototype) => {
      decorate('/x', { name: 'named', config: { a: 1 } })(
        prototype,
        'hello',
        Object.getOwnPropertyDescriptor(prototype, 'hello')
      )
    })
    t.match(
      methods.get('hello')?.routes,
      [{ methods: [method], path: '/x', name: 'named', settings: { config: { a: 1 } } }],
      method
    )
    t.match(methods.get('hello')?.routes[0]?.decorator, `@${decorate.name}('/x')`)
  }
})

t.test('route takes method and methods', async (t) => {
  const { methods } = declared((_Class, prototype) => {
    svc.route('hello', { path: '/x', method: 'GET', methods: ['websocket'], bodyLimit: 5 })(prototype, 'hello')
  })
  t.match(methods.get('hello')?.routes, [
    { methods: ['GET', 'websocket'], path: '/x', name: 'hello', settings: { bodyLimit: 5 } }
  ])
})

t.test('guards keep the order in which they are read', async (t) => {
  const { methods } = declared((_Class, prototype) => {
    // Decorators are applied from the last to the first.
    svc.RequireScope('api:read')(prototype, 'hello')
    svc.IsGranted(['A', 'B'], { subject: 'id' })(prototype, 'hello')
  })
  t.match(methods.get('hello')?.guards, [
    {
      kind: 'attribute',
      attributes: ['A', 'B'],
      options: { subject: 'id' },
      decorator: "@IsGranted(['A', 'B'], { subject: 'id' })"
    },
    { kind: 'scope', attributes: ['api:read'], decorator: "@RequireScope('api:read')" }
  ])
})

t.test('guards and marks go on a class as well', async (t) => {
  const declarations = declared((Class) => {
    svc.IsGranted('A')(Class)
    svc.Anonymous()(Class)
    svc.BypassFirewall()(Class)
    svc.controller('/api')(Class)
  })
  t.match(declarations, {
    controller: { prefix: '/api', decorator: "@controller('/api')" },
    guards: [{ attributes: ['A'] }],
    anonymous: { decorator: '@Anonymous' },
    bypassFirewall: { decorator: '@BypassFirewall' }
  })
})

t.test('marks are written with or without parentheses', async (t) => {
  class Hello {
    @svc.BypassFirewall
    @svc.Anonymous
    bare(): void {}

    @svc.BypassFirewall()
    @svc.Anonymous()
    called(): void {}
  }
  const { methods } = declarationsOf(Hello)
  for (const key of ['bare', 'called']) {
    t.match(
      methods.get(key),
      { anonymous: { decorator: '@Anonymous' }, bypassFirewall: { decorator: '@BypassFirewall' } },
      key
    )
  }
  t.type(Hello.prototype.bare, 'function')
})

t.test('a bare mark on a class keeps the class', async (t) => {
  @svc.Anonymous
  class Hello {}
  t.type(new Hello(), Hello)
  t.match(declarationsOf(Hello).anonymous, { decorator: '@Anonymous' })
})

t.test('parameters', async (t) => {
  const rows = [
    [svc.CurrentUser(), { kind: 'user', decorator: '@CurrentUser()' }],
    [svc.Body(), { kind: 'body', stream: false, decorator: '@Body()' }],
    [svc.Body({ stream: true }), { kind: 'body', stream: true, decorator: '@Body({ stream: true })' }],
    [svc.Query('q'), { kind: 'query', name: 'q', decorator: "@Query('q')" }],
    [svc.Query(), { kind: 'query', name: undefined }],
    [svc.Param('id'), { kind: 'param', name: 'id' }],
    [svc.Headers('X-Thing'), { kind: 'headers', name: 'x-thing', decorator: "@Headers('X-Thing')" }],
    [svc.Message(), { kind: 'message', binary: false }],
    [svc.Message({ binary: true }), { kind: 'message', binary: true }],
    [svc.Ctx(), { kind: 'context' }]
  ] as const
  for (const [decorate, expected] of rows) {
    const { methods } = declared((_Class, prototype) => {
      decorate(prototype, 'hello', 1)
    })
    t.match(methods.get('hello')?.parameters.get(1), expected, JSON.stringify(expected))
  }
})

t.test('a subclass has declarations of its own', async (t) => {
  @svc.controller('/base')
  class Base {}
  class Derived extends Base {}
  t.equal(ownDeclarations(Derived), null)
  svc.controller('/derived')(Derived)
  t.match([declarationsOf(Base).controller?.prefix, declarationsOf(Derived).controller?.prefix], ['/base', '/derived'])
})

t.test('declarations do not show on the class', async (t) => {
  @svc.controller()
  class Hello {}
  t.strictSame([Object.keys(Hello), JSON.stringify({ ...Hello })], [[], '{}'])
})

t.test('standard decorators are refused, with the compiler option', async (t) => {
  const context = { kind: 'method', name: 'hello' } as unknown as string
  for (const decorate of [svc.Get('/x'), svc.IsGranted('A'), svc.route('x', { method: 'GET' })]) {
    t.throws(() => decorate(function hello() {}, context), {
      code: 'SVC_DECORATOR_STANDARD',
      message: /experimentalDecorators/
    })
  }
  t.throws(() => svc.controller()(class {}, { kind: 'class' }), { code: 'SVC_DECORATOR_STANDARD' })
})
