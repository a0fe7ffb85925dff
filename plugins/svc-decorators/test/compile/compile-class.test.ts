/** Every mistake of a class is found at once, with class, method and place. */
import t from 'tap'
import { compileClass } from '../../src/compile/compile-class.ts'
import {
  Body,
  Ctx,
  CurrentUser,
  controller,
  Get,
  IsGranted,
  Message,
  Param,
  Post,
  RequireScope,
  route,
  WebSocket
} from '../../src/index.ts'

const PLACE = /compile-class\.test\.[jt]s:\d+/

t.test('guards that grant nobody or judge nothing', async (t) => {
  @controller('/a')
  class Hello {
    @Get('/1') @IsGranted([]) empty(): void {}

    @Get('/2') @IsGranted(['A', '']) blank(): void {}

    @Get('/3') @IsGranted(7 as unknown as string) number(): void {}

    @Get('/4') @RequireScope('read') scope(): void {}

    @Get('/5') @RequireScope(['x:read', 'ROLE_A:b']) role(): void {}

    @Get('/6/:name') @IsGranted('edit', { subject: 'nam' }) subject(): void {}

    @Get('/7') @IsGranted('edit', { subject: '' }) nameless(): void {}

    @Get('/8') @IsGranted('edit', { subjet: 'id' } as object) misspelt(): void {}
  }
  const { problems } = compileClass(Hello)
  t.match(problems, [
    { code: 'SVC_GUARD_EMPTY', message: 'Hello.empty has @IsGranted([]): an empty OR refuses everyone', at: PLACE },
    { code: 'SVC_GUARD_EMPTY', message: /Hello\.blank has @IsGranted\(\['A', ''\]\)/, at: PLACE },
    { code: 'SVC_GUARD_EMPTY', message: /Hello\.number/ },
    {
      code: 'SVC_GUARD_SCOPE',
      message: /Hello\.scope .*"read" is not a scope/,
      expected: 'api:action',
      fix: /@IsGranted\('read'\)/
    },
    { code: 'SVC_GUARD_SCOPE', message: /Hello\.role .*"ROLE_A:b"/ },
    { code: 'SVC_GUARD_SUBJECT', message: /Hello\.nameless/ },
    { code: 'SVC_GUARD_SUBJECT', message: /Hello\.misspelt .*unknown option subjet/ },
    {
      code: 'SVC_GUARD_SUBJECT',
      message: /Hello\.subject .*\/a\/6\/:name has no parameter "nam" \(did you mean name\?\)/,
      at: PLACE
    }
  ])
  t.equal(problems.length, 8)
})

t.test('the subject of a class guard must exist on every route, also in the prefix', async (t) => {
  @controller('/orgs/:org')
  @IsGranted('member', { subject: 'org' })
  class Good {
    @Get('/') list(): void {}
  }
  t.strictSame(compileClass(Good).problems, [])

  @controller('/orgs')
  @IsGranted('member', { subject: 'org' })
  class Bad {
    @Get('/') list(): void {}

    @Get('/:org') one(): void {}
  }
  t.match(compileClass(Bad).problems, [{ code: 'SVC_GUARD_SUBJECT', message: /\/orgs has no parameter "org"/ }])
})

t.test('routes', async (t) => {
  @controller('/a')
  class Hello {
    @route('hello', {}) none(): void {}

    @route('unknown', { method: 'GTE' as 'GET' }) unknown(): void {}

    @Get('/a b') spaces(): void {}

    @Get(7 as unknown as string) number(): void {}

    @route('', { method: 'GET', path: '/name' }) nameless(): void {}

    @Get('/option', { bodyLimti: 1 } as object) option(): void {}

    @WebSocket('/limit', { bodyLimit: 1 } as object) limit(): void {}

    @Get('/svc', { config: { svc: {} } as object as Record<string, unknown> }) svc(): void {}

    @Get('/body', { schema: { body: { type: 'object' } } }) body(): void {}
  }
  const { problems } = compileClass(Hello)
  t.match(problems, [
    { code: 'SVC_ROUTE_METHOD', message: "Hello.none has @route('hello') without a method", at: PLACE },
    {
      code: 'SVC_ROUTE_METHOD',
      message: 'Hello.unknown has the unknown method "GTE" (did you mean GET?)',
      expected: /WEBSOCKET/
    },
    { code: 'SVC_ROUTE_PATH', message: /Hello\.spaces/, got: '"/a b"' },
    { code: 'SVC_ROUTE_PATH', message: /Hello\.number/, got: '7' },
    { code: 'SVC_ROUTE_NAME', message: /Hello\.nameless/ },
    { code: 'SVC_ROUTE_OPTION', message: /bodyLimti \(did you mean bodyLimit\?\)/ },
    { code: 'SVC_ROUTE_OPTION', message: /Hello\.limit has the unknown route option bodyLimit/ },
    { code: 'SVC_ROUTE_OPTION', message: /Hello\.svc sets config\.svc/ },
    { code: 'SVC_ROUTE_SCHEMA', message: /Hello\.body has schema\.body, but GET carry no body/ }
  ])
  t.equal(problems.length, 9)
})

t.test('parameters that could never hold anything', async (t) => {
  @controller('/a')
  class Hello {
    @Get('/1') bare(@CurrentUser() _user: unknown, _other: unknown): void {}

    @Get('/2/:name') param(@Param('nme') _name: unknown): void {}

    @Post('/3') message(@Message() _message: unknown): void {}

    @WebSocket('/4') stream(@Body({ stream: true }) _body: unknown): void {}

    @Post('/5', { schema: { body: { type: 'object' } } }) judged(@Body({ stream: true }) _body: unknown): void {}

    @Get('/6') body(@Body() _body: unknown): void {}

    @Post('/7') both(@Body() _one: unknown, @Body({ stream: true }) _two: unknown): void {}

    @WebSocket('/8') frames(@Message() _one: unknown, @Message({ binary: true }) _two: unknown): void {}
  }
  const { problems } = compileClass(Hello)
  t.match(problems, [
    {
      code: 'SVC_ROUTE_PARAMETER',
      message: 'Hello.bare takes 2 parameter(s), and parameter 2 has no decorator',
      at: PLACE,
      fix: /@Ctx\(\)/
    },
    { message: /Hello\.both has both @Body\(\) and @Body/ },
    { message: /Hello\.frames has both @Message\(\) and @Message/ },
    { message: "Hello.param has @Param('nme'), but /a/2/:name has no such parameter (did you mean name?)" },
    { message: 'Hello.message has @Message(), but POST /a/3 is not a WEBSOCKET route' },
    { message: /Hello\.stream has .*a WebSocket message is not a stream/ },
    { message: /Hello\.judged has .*schema\.body cannot validate raw bytes/ },
    { message: /Hello\.body has @Body\(\), but GET carry no body/ }
  ])
  t.ok(problems.every(({ code }) => code === 'SVC_ROUTE_PARAMETER'))
  t.equal(problems.length, 8)
})

t.test('decorators where none can work', async (t) => {
  @controller()
  class Hello {
    @Get('/static') static unbound(): void {}

    constructor(@CurrentUser() _user: unknown) {}

    @IsGranted('A') guarded(): void {}

    parameter(@Ctx() _context: unknown): void {}
  }
  Get('/property')(Hello.prototype, 'property')
  Object.defineProperty(Hello.prototype, 'getter', {
    get() {
      throw new Error('a getter must not run')
    }
  })
  Get('/getter')(Hello.prototype, 'getter')
  t.match(compileClass(Hello).problems, [
    { code: 'SVC_ROUTE_MISPLACED', message: "Hello has @Get('/static') on static unbound", at: PLACE },
    { code: 'SVC_ROUTE_MISPLACED', message: 'Hello has @CurrentUser() on the constructor' },
    { code: 'SVC_ROUTE_MISSING', message: "Hello.guarded has @IsGranted('A') but no route" },
    { code: 'SVC_ROUTE_MISSING', message: 'Hello.parameter has @Ctx() but no route' },
    { code: 'SVC_ROUTE_MISPLACED', message: 'Hello.property is not a method' },
    { code: 'SVC_ROUTE_MISPLACED', message: 'Hello.getter is not a method' }
  ])
})

t.test('a class without @controller, also below a base that has one', async (t) => {
  class Bare {
    @Get('/') a(): void {}
  }
  t.match(compileClass(Bare).problems, [
    { code: 'SVC_CONTROLLER_UNDECLARED', message: 'Bare has no @controller', at: PLACE }
  ])

  @controller('/base')
  class Base {
    @Get('/') a(): void {}
  }
  class Derived extends Base {}
  t.match(compileClass(Derived).problems, [
    { code: 'SVC_CONTROLLER_UNDECLARED', message: 'Derived has no @controller' }
  ])
})

t.test('a prefix no request can match', async (t) => {
  @controller('/a b')
  class Spaced {
    @Get('/') a(): void {}
  }
  t.match(compileClass(Spaced).problems, [
    { code: 'SVC_ROUTE_PATH', message: 'the prefix of Spaced is not a path', got: '"/a b"' }
  ])
})

t.test('inherited routes, parameters and overrides', async (t) => {
  class Base {
    @Get('/:id') read(@Param('id') _id: string): unknown {
      return 'base'
    }

    @Get('/own') own(): void {}
  }

  @controller('/things')
  class Things extends Base {
    override read(id: string): unknown {
      return `things ${id}`
    }

    @Post('/own') override own(): void {}
  }
  const { endpoints, problems } = compileClass(Things)
  t.strictSame(problems, [])
  t.match(
    endpoints.map(({ method, path, label, invocation }) => [method, path, label, invocation.parameters.length]),
    [
      ['GET', '/things/:id', 'Things.read', 1],
      ['POST', '/things/own', 'Things.own', 0]
    ]
  )
})

t.test('an override that takes more than its base declared says so', async (t) => {
  class Base {
    @Get('/:id') read(@Param('id') _id: string): void {}
  }

  @controller('/things')
  class Things extends Base {
    override read(_id: string, _more?: string): void {}
  }
  t.match(compileClass(Things).problems, [{ code: 'SVC_ROUTE_PARAMETER', message: /Things\.read takes 2 parameter/ }])
})

t.test('a prefix before the prefix', async (t) => {
  @controller('/b')
  class Hello {
    @Get('/c') a(): void {}
  }
  t.equal(compileClass(Hello, '/a').endpoints[0]?.path, '/a/b/c')
})
